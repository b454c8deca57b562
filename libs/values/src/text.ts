const unpairedSurrogate = /\p{Surrogate}/u;

/** Whether PostgreSQL can store the text: no U+0000, no unpaired surrogates. */
export function isStorableText(text: string): boolean {
  return !text.includes('\u0000') && !unpairedSurrogate.test(text);
}

/** Removes U+0000 and replaces unpaired surrogates by U+FFFD, for texts of other systems. */
export function toStorableText(text: string): string {
  return isStorableText(text) ? text : text.replaceAll('\u0000', '').replace(/\p{Surrogate}/gu, '\uFFFD');
}

/** @returns the beginning of a text, at most `maxLength` UTF-16 units, without half of a surrogate pair. */
export function truncateText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  return text.slice(0, maxLength).replace(/[\uD800-\uDBFF]$/, '');
}
