import { Parameters } from '@quire/database';
import { cutText } from '../analysis/plain-text.js';
import type { IndexQuery, Window } from '../analysis/request.js';
import { searchLimits, type SearchIndex } from '../port/search-index.js';
import { tableOf } from '../tables/index-tables.js';
import { titleKeyCharacters } from './index-rows.js';
import { matchAll, matchSome } from './matching.js';

export interface HitRow {
  /** Index of the query that found it. */
  place: number;
  id: string;
  locale: string;
  slug: string | null;
  title: string | null;
  texts: string[];
  score: number;
}

export interface StatementText {
  text: string;
  values: unknown[];
}

/**
 * Maximum rows of an index that are ranked: those with all words in the title first. A word that more documents have is
 * not distinctive, and ranking reads the document.
 */
const maxRanked = 2_000;
const shown = 'id, locale, slug, title, texts';
/** Of two equal matches the one with the shorter title comes first. */
const bestFirst = "score DESC, length(coalesce(title, '')), id";
const read = `${shown}, title_terms, terms, folded`;

/** Documents with all terms, best first. */
export function allStatement(queries: readonly IndexQuery[], wanted: Window): StatementText {
  return hits(queries, wanted, (query, parameters, isWanted) => {
    const table = tableOf('index', query.index);
    const { has, inTitle, rank } = matchAll(query, parameters);
    return {
      score: rank,
      from: `(SELECT ${read} FROM ${table} WHERE ${inTitle} AND ${isWanted} LIMIT ${maxRanked})
        UNION ALL (SELECT ${read} FROM ${table} WHERE ${has} AND NOT (${inTitle}) AND ${isWanted} LIMIT ${maxRanked})`,
    };
  });
}

/** Documents with some of the terms: those with most of them first, then by score. */
export function someStatement(queries: readonly IndexQuery[], wanted: Window): StatementText {
  return hits(queries, wanted, (query, parameters, isWanted) => {
    const table = tableOf('index', query.index);
    const { each, rank } = matchSome(query, parameters);
    const found = each.map(
      (has) => `(SELECT id FROM ${table} WHERE ${has} AND ${isWanted} LIMIT ${searchLimits.maxHits})`,
    );
    const count = each.map((has) => `(${has})::integer`).join(' + ');
    return {
      score: `(${count} - 1 + ${rank}) / ${each.length}`,
      from: `SELECT ${read} FROM ${table} WHERE id IN (${found.join(' UNION ')}) AND ${isWanted}`,
    };
  });
}

function hits(
  queries: readonly IndexQuery[],
  { limit, offset, ...filters }: Window,
  part: (query: IndexQuery, parameters: Parameters, isWanted: string) => { score: string; from: string },
): StatementText {
  const parameters = new Parameters();
  const isWanted = filterCondition(parameters, filters);
  const parts = queries.map((query, place) => {
    const { score, from } = part(query, parameters, isWanted);
    return `(SELECT ${place} AS place, ${shown}, (${score})::double precision AS score FROM (${from}) AS found
      ORDER BY ${bestFirst} LIMIT ${limit + offset})`;
  });
  const text = `SELECT * FROM (${parts.join(' UNION ALL ')}) AS hits ORDER BY ${bestFirst} LIMIT ${limit} OFFSET ${offset}`;
  return { text, values: parameters.values };
}

/** The condition of a row in addition to matching. Codes of locales are compared without case. */
function filterCondition(
  parameters: Parameters,
  { status, locale }: Pick<Window, 'status' | 'locale'>,
): string {
  const hasStatus = `${parameters.add(status, 'text')} = ANY (statuses)`;
  return locale === undefined
    ? hasStatus
    : `${hasStatus} AND lower(locale) = lower(${parameters.add(locale, 'text')})`;
}

/** Published titles that begin with a key (see `titleKey`), in order. */
export function titlesStatement(
  indexes: readonly SearchIndex[],
  { key, locale, limit }: { key: string; locale: string | undefined; limit: number },
): StatementText {
  const parameters = new Parameters();
  const prefix = cutText(key, titleKeyCharacters);
  const from = parameters.add(prefix, 'text');
  const to = parameters.add(`${prefix}\u{10ffff}`, 'text');
  const isWanted = filterCondition(parameters, { status: 'published', locale });
  const parts = indexes.map(
    (index, place) => `(SELECT ${place} AS place, id, slug, title, title_key FROM ${tableOf('index', index)}
      WHERE title_key >= ${from} AND title_key < ${to} AND ${isWanted} ORDER BY title_key, id LIMIT ${limit})`,
  );
  const text = `SELECT place, id, slug, title FROM (${parts.join(' UNION ALL ')}) AS titles ORDER BY title_key, id LIMIT ${limit}`;
  return { text, values: parameters.values };
}
