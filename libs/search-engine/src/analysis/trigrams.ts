import { fold } from './folding.js';

export const trigramLength = 3;
const spaces = /\s+/gu;

/** Text as trigrams are taken from it: folded, each stretch of white space one space. */
export const trigramText = (text: string): string => fold(text).text.replace(spaces, ' ').trim();

/** Each three characters (code points) that follow each other; none in a shorter text. The text is of `trigramText`. */
export function trigramsOf(text: string): string[] {
  const characters = Array.from(text);
  return characters
    .slice(0, Math.max(0, characters.length - trigramLength + 1))
    .map((first, place) => `${first}${characters[place + 1] ?? ''}${characters[place + 2] ?? ''}`);
}
