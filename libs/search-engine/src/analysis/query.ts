import { searchLimits, type Tokenizer } from '../port/search-index.js';
import { cutText, plainText } from './plain-text.js';
import { trigramLength, trigramsOf, trigramText } from './trigrams.js';
import { wordsIn, type WordTokenizer } from './words.js';

/** One term of a query: a word, a phrase, or (`trigram`) a substring of the text. */
export interface QueryTerm {
  /** Terms of a phrase: stems, words as written, or trigrams. */
  terms: string[];
  /** An alternative for the last word of a query: the prefix of a word. */
  prefix?: string;
  /** The folded substring of the text that the trigrams cover. */
  substring?: string;
}

/** A prefix of one letter matches nearly every document. */
const minPrefixLength = 2;
const quotation = /"([^"]*)"|“([^”“„]*)[”“]|„([^”“„]*)[”“]|[^"“”„]+|["“”„]/gu;
/** A substring of this length is distinctive; further characters are ignored. */
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
 * Parses a query. It has no syntax except quotation marks in pairs, which mark phrases; every other character that is
 * no letter or digit divides words. Accepts any string.
 * @returns an empty list for a query without terms
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
  // Only the last word may be incomplete.
  return units.map(({ terms, prefix = '' }, place) =>
    place === units.length - 1 && Array.from(prefix).length >= minPrefixLength
      ? { terms, prefix }
      : { terms },
  );
}

/** Characters that do not count for the length of a query. */
const aside = /[\s"“”„]/gu;

/**
 * The substrings of a query: of at least three characters as submitted (document 1, Search), and each of at least three
 * when folded.
 */
function substringsOf(query: string): QueryTerm[] {
  // Folding expands some characters to several: a single one is no query.
  if (Array.from(query.replace(aside, '')).length < trigramLength) return [];
  return splitQuotations(query)
    .flatMap(({ text, isQuoted }) => (isQuoted ? [trigramText(text)] : trigramText(text).split(' ')))
    .map((substring) => Array.from(substring).slice(0, maxSubstringLength).join('').trim())
    .filter((substring) => Array.from(substring).length >= trigramLength)
    .slice(0, searchLimits.queryWords)
    .map((substring) => ({ terms: trigramsOf(substring), substring }));
}

/** A title, or a prefix of one, in its form for suggestions: folded, white space as one space. */
export const titleKey = (text: string): string => trigramText(plainText(text));
