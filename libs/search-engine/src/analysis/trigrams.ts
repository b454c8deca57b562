import { fold } from './folding.js';

export const trigramLength = 3;
const spaces = /\s+/gu;

/** Text in its form for trigrams: folded, each run of white space as one space. */
export const trigramText = (text: string): string => fold(text).text.replace(spaces, ' ').trim();

/** All sequences of three characters (code points) of a text in the form of `trigramText`; none of a shorter text. */
export function trigramsOf(text: string): string[] {
  const characters = Array.from(text);
  return characters
    .slice(0, Math.max(0, characters.length - trigramLength + 1))
    .map((first, place) => `${first}${characters[place + 1] ?? ''}${characters[place + 2] ?? ''}`);
}
