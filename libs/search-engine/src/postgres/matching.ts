import type { Parameters } from '@quire/database';
import type { IndexQuery } from '../analysis/request.js';
import type { QueryTerm } from '../analysis/query.js';
import { weighting } from '../analysis/weights.js';
import type { SearchIndex } from '../port/search-index.js';
import { lexeme } from './index-rows.js';

/** PostgreSQL's option for ranks from 0 to below 1: each divided by itself plus 1. */
const belowOne = 32;

/** SQL that finds, in one index's table, rows with all terms. */
export interface MatchAll {
  has: string;
  /** Rows whose title has all terms: the best hits, independent of other matches. They have all terms as well. */
  inTitle: string;
  /** Score of a row, from 0 to 1. */
  rank: string;
}

/** SQL that finds rows with some of the terms. */
export interface MatchSome {
  /** A condition for each term. */
  each: string[];
  rank: string;
}

/**
 * A term as a tsquery that finds the rows of `unitQuery`, without a term that has the prefix: PostgreSQL would read
 * its rows twice. Ranks depend on the number of terms.
 */
function unitMatch(unit: QueryTerm): string {
  const { terms, prefix } = unit;
  return prefix !== undefined && terms.length === 1 && terms[0]?.startsWith(prefix)
    ? `${lexeme(prefix)}:*`
    : unitQuery(unit);
}

const matchOf = (units: readonly QueryTerm[]) => units.map(unitMatch).join(' & ');

/** A term as a tsquery: a phrase, or a prefix. */
function unitQuery({ terms, prefix, substring }: QueryTerm): string {
  const joined = terms.map(lexeme).join(substring === undefined ? ' <-> ' : ' & ');
  return prefix === undefined ? `(${joined})` : `(${joined} | ${lexeme(prefix)}:*)`;
}

const queryOf = (units: readonly QueryTerm[], joined: ' & ' | ' | ') => units.map(unitQuery).join(joined);

export function matchAll({ index, units }: IndexQuery, parameters: Parameters): MatchAll {
  const match = parameters.add(matchOf(units), 'tsquery');
  const parts = substringsOf(units, parameters);
  const has = [`terms @@ ${match}`, ...parts.map(hasSubstring)].join(' AND ');
  // The words of a title are among those of its row, with the same distances but for the last positions. Without an
  // operator, the condition on the row reads no index.
  const isWord = ({ terms, substring }: QueryTerm) => terms.length === 1 && substring === undefined;
  const inTitle = `title_terms @@ ${match}${units.every(isWord) ? '' : ` AND (${has}) IS TRUE`}`;
  const rank =
    index.tokenizer === 'trigram'
      ? substringRank({ index, units }, parts)
      : wordRank({ index, units }, parameters.add(queryOf(units, ' & '), 'tsquery'), parameters);
  return {
    has,
    inTitle,
    rank: `(${rank} + CASE WHEN title_terms @@ ${match} THEN ${titleShare(index)} ELSE 0 END) / 2`,
  };
}

/** The bonus of a title with all terms: the greater, the shorter the title. */
function titleShare(index: SearchIndex): string {
  const { weights, titleClass } = weighting(index);
  if (titleClass === null) return '0';
  return `${weights[titleClass] ?? 1} / (1 + ln(greatest(1, length(title_terms))))`;
}

export function matchSome({ index, units }: IndexQuery, parameters: Parameters): MatchSome {
  const parts = substringsOf(units, parameters);
  const each = units.map((unit, place) => {
    const substring = parts[place];
    const terms = `terms @@ ${parameters.add(unitMatch(unit), 'tsquery')}`;
    return substring === undefined ? terms : `${terms} AND ${hasSubstring(substring)}`;
  });
  if (index.tokenizer === 'trigram') return { each, rank: substringRank({ index, units }, parts) };
  const query = parameters.add(queryOf(units, ' | '), 'tsquery');
  return { each, rank: wordRank({ index, units }, query, parameters) };
}

/**
 * One word scores by its weights and number of occurrences, several also by their distance: PostgreSQL computes the
 * distance in one pass, while its other function compares all pairs of positions.
 */
function wordRank({ index, units }: IndexQuery, query: string, parameters: Parameters): string {
  // PostgreSQL expects the weight of D first.
  const weights = parameters.add([...weighting(index).weights].reverse(), 'real[]');
  const rank = units.length > 1 ? 'ts_rank_cd' : 'ts_rank';
  return `${rank}(${weights}, terms, ${query}, ${belowOne})`;
}

const substringsOf = (units: readonly QueryTerm[], parameters: Parameters) =>
  units.flatMap(({ substring }) => (substring === undefined ? [] : [parameters.add(substring, 'text')]));

/** The trigrams of a substring may occur apart: only the text shows whether the substring occurs. */
const hasSubstring = (substring: string) => `strpos(array_to_string(folded, E'\\n'), ${substring}) > 0`;

/** A substring scores by the logarithm of its number of occurrences in each class of text. */
function substringRank({ index }: IndexQuery, parts: readonly string[]): string {
  const times = (substring: string, text: string) =>
    `(length(${text}) - length(replace(${text}, ${substring}, ''))) / length(${substring})`;
  const worth = parts
    .flatMap((substring) =>
      weighting(index).weights.map(
        (weight, place) => `${weight} * ln(1 + ${times(substring, `folded[${place + 1}]`)})`,
      ),
    )
    .join(' + ');
  return `(${worth}) / (1 + ${worth})`;
}
