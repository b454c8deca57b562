import { searchLimits, type Tokenizer } from '../port/search-index.js';
import { cutText, plainText } from './plain-text.js';
import { trigramLength, trigramsOf, trigramText } from './trigrams.js';
import { wordsIn, type WordTokenizer } from './words.js';

/** One thing a document must have: a word, words that follow each other, or (`trigram`) a substring of the text. */
export interface QueryTerm {
  /** Terms that follow each other: stems, words as written, or trigrams. */
  terms: string[];
  /** What a word may begin with instead, for the last word of a query. */
  prefix?: string;
  /** The substring of the text that the trigrams make up, folded. */
  substring?: string;
}

/** A beginning of one letter says next to nothing, and would match nearly everything. */
const minPrefixLength = 2;
const quotation = /"([^"]*)"|“([^”“„]*)[”“]|„([^”“„]*)[”“]|[^"“”„]+|["“”„]/gu;
/** Beyond this many characters a substring of the text is not looked at: it is long enough to be the only one. */
const maxSubstringLength = 60;

interface QueryPart {
  text: string;
  isQuoted: boolean;
}

function splitQuotations(text: string): QueryPart[] {
  return Array.from(text.matchAll(quotation), ([all, ...quoted]) => {
    const inner = quoted.find((substring) => substring !== undefined);
    return inner === undefined ? { text: all, isQuoted: false } : { text: inner, isQuoted: true };
  });
}

/**
 * Takes a query apart. It is no expression: quotation marks that come in pairs hold words together, everything else
 * that is no letter or digit divides words. Any string is taken.
 * @returns nothing when there is nothing to look for
 */
export function parseQuery(text: string, tokenizer: Tokenizer): QueryTerm[] {
  const query = plainText(cutText(text, searchLimits.queryCharacters));
  const units = tokenizer === 'trigram' ? substringsOf(query) : wordUnits(query, tokenizer);
  const seen = new Set<string>();
  return units.filter((unit) => {
    const key = JSON.stringify(unit);
    return !seen.has(key) && seen.add(key);
  });
}

function wordUnits(query: string, tokenizer: WordTokenizer): QueryTerm[] {
  const units: QueryTerm[] = [];
  let left: number = searchLimits.queryWords;
  for (const { text, isQuoted } of splitQuotations(query)) {
    const words = wordsIn(text, tokenizer).slice(0, left);
    left -= words.length;
    if (!isQuoted)
      units.push(...words.map(({ term, surfaceForm }) => ({ terms: [term], prefix: surfaceForm })));
    else if (words.length > 0) units.push({ terms: words.map(({ term }) => term) });
  }
  // Only the last word is still being typed.
  return units.map(({ terms, prefix = '' }, place) =>
    place === units.length - 1 && Array.from(prefix).length >= minPrefixLength
      ? { terms, prefix }
      : { terms },
  );
}

/** What does not count as a character of a query. */
const aside = /[\s"“”„]/gu;

/**
 * The parts of a query: of at least three characters as it was sent (document 1, Search), and each of as many as it is
 * compared.
 */
function substringsOf(query: string): QueryTerm[] {
  // Folding makes more of some characters: one of them is no query.
  if (Array.from(query.replace(aside, '')).length < trigramLength) return [];
  return splitQuotations(query)
    .flatMap(({ text, isQuoted }) => (isQuoted ? [trigramText(text)] : trigramText(text).split(' ')))
    .map((substring) => Array.from(substring).slice(0, maxSubstringLength).join('').trim())
    .filter((substring) => Array.from(substring).length >= trigramLength)
    .slice(0, searchLimits.queryWords)
    .map((substring) => ({ terms: trigramsOf(substring), substring }));
}

/** A title as suggestions compare it, or the beginning of one: folded, white space as one space. */
export const titleKey = (text: string): string => trigramText(plainText(text));
