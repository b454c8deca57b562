const unpairedSurrogate = /\p{Surrogate}/u;

/** Whether PostgreSQL can store the text: no U+0000, no unpaired surrogates. */
export function isStorableText(text: string): boolean {
  return !text.includes('\u0000') && !unpairedSurrogate.test(text);
}
