const unpairedSurrogate = /\p{Surrogate}/u;

/** Whether PostgreSQL can store the text: no U+0000, no unpaired surrogates. */
export function isStorableText(text: string): boolean {
  return !text.includes('\u0000') && !unpairedSurrogate.test(text);
}

/** Removes U+0000 and replaces unpaired surrogates by U+FFFD, for texts of other systems. */
export function toStorableText(text: string): string {
  return isStorableText(text) ? text : text.replaceAll('\u0000', '').replace(/\p{Surrogate}/gu, '\uFFFD');
}
