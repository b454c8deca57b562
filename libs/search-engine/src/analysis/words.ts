import { stemmer } from 'stemmer';
import { searchLimits, type Tokenizer } from '../port/search-index.js';
import { fold, type FoldedText } from './folding.js';
import { memoize } from './memoize.js';

/** A word of a folded text. */
export interface Word {
  /** The folded word. */
  surfaceForm: string;
  /** The indexed term: the stem with `porter`, else the folded word. */
  term: string;
  /** Its start in the folded text. */
  start: number;
  end: number;
}

export type WordTokenizer = Exclude<Tokenizer, 'trigram'>;

const wordPattern = /[\p{L}\p{N}\p{M}\p{Co}]+/gu;
const english = /^[a-z]{3,}$/;
const maxCachedStems = 50_000;

const stemOf = memoize(stemmer, maxCachedStems);
const stem = (word: string) => (english.test(word) ? stemOf(word) : word);

const cut = (word: string) =>
  word.length <= searchLimits.wordCharacters
    ? word
    : Array.from(word).slice(0, searchLimits.wordCharacters).join('');

/** The words of a folded text, generated on demand. */
export function* wordsOf({ text }: FoldedText, tokenizer: WordTokenizer): Generator<Word> {
  for (const { 0: found, index } of text.matchAll(wordPattern)) {
    const surfaceForm = cut(found);
    const term = tokenizer === 'unicode61' ? surfaceForm : stem(surfaceForm);
    yield { surfaceForm, term, start: index, end: index + found.length };
  }
}

/** The words of any text. */
export const wordsIn = (text: string, tokenizer: WordTokenizer): Word[] => [
  ...wordsOf(fold(text), tokenizer),
];
