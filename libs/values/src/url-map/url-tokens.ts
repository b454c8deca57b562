/** Ends an address in a text: characters that no address has unencoded, and escaped quotes and brackets of HTML. */
const body = [
  String.raw`[^\s\p{Cc}"'<>()[\]{}|\\^\x60&,、。，；：？！）】》」』“”‘’«»]`,
  String.raw`&(?!(?:quot|apos|lt|gt|nbsp|#0*3[49]|#x0*2[27]);)`,
  // A list without spaces; a comma may also be part of an address.
  String.raw`,(?!(?:https?:)?\/\/|\/)`,
  // Balanced brackets are part of an address, a closing one without them ends it.
  String.raw`\([^\s\p{Cc}"'<>()[\]{}|\\^\x60]*\)`,
].join('|');

/**
 * Where an address may begin. It is no address of its own as the value of a parameter of another one, after another
 * scheme, or in the middle of a path.
 */
const start = [
  String.raw`(?<![a-z0-9_@+.-])(?<![?&][\w.[\]-]{0,40}=)https?:\/\/`,
  String.raw`(?<![\p{L}\p{N}_:\/@.-])(?<![?&][\w.[\]-]{0,40}=)\/(?=[^\s\/])`,
  String.raw`(?<![\p{L}\p{N}_:\/@.-])(?<![?&][\w.[\]-]{0,40}=)\/\/(?=[^\s\/])`,
].join('|');

const token = new RegExp(`(?:${start})(?:${body})+`, 'giu');
const punctuation = new Set(".,;:!?'*_~…–—-");

/** Replaces each address of a text, http(s), without a scheme or root-relative, by what the function returns for it. */
export function replaceUrls(text: string, replace: (url: string) => string): string {
  return text.includes('/') ? text.replace(token, replace) : text;
}

/** @returns the number of characters of punctuation at the end of an address, which may be those of its sentence. */
export function trailingPunctuation(url: string): number {
  let end = url.length;
  while (end > 0 && punctuation.has(url.charAt(end - 1))) end -= 1;
  return url.length - end;
}
