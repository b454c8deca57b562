/** A path of this site: nothing that a browser takes for another one. */
export function isLocalPath(path: string): boolean {
  return /^\/(?![/\\])[^\\\p{Cc}]*$/u.test(path);
}

/** A path as a Location header can carry it: what is not ASCII is encoded. */
export function toLocationHeader(path: string): string {
  const wellFormed = path.replace(/\p{Cs}/gu, '\uFFFD');
  return wellFormed.replace(/[^\x21-\x7e]+/gu, encodeURIComponent);
}
