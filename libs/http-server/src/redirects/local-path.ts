/** Whether a redirect target is a path of this site; browsers resolve other forms to another origin. */
export function isLocalPath(path: string): boolean {
  return /^\/(?![/\\])[^\\\p{Cc}]*$/u.test(path);
}

/** Encodes a path or URL for a Location header: percent-encodes characters other than printable ASCII. */
export function toLocationHeader(path: string): string {
  const wellFormed = path.replace(/\p{Cs}/gu, '\uFFFD');
  return wellFormed.replace(/[^\x21-\x7e]+/gu, encodeURIComponent);
}
