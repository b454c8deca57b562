/** A path of this site: nothing that a browser takes for another one. */
export function isLocalPath(path: string): boolean {
  return /^\/(?![/\\])[^\\\p{Cc}]*$/u.test(path);
}
