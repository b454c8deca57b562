import type { QueryTerm } from '../analysis/query.js';
import type { IndexQuery, Window } from '../analysis/request.js';
import { searchLimits } from '../port/search-index.js';
import type { MeiliDocument } from './meili-documents.js';
import { filterOf, type Server } from './meili-access.js';
import { encodePrefix, encodeTerm } from './term-encoding.js';

type Shown = Pick<MeiliDocument, 'id' | 'locale' | 'slug' | 'title' | 'texts'>;

export interface FoundDocument extends Shown {
  query: IndexQuery;
  score: number;
}

const shown = ['id', 'locale', 'slug', 'title', 'texts'];
const minScore = 1e-6;

/** One encoded term; several words become a phrase. */
const encodeUnit = ({ terms }: QueryTerm) =>
  terms.length > 1 ? `"${terms.map(encodeTerm).join(' ')}"` : terms.map(encodeTerm).join('');

/** The query texts for these terms: with the last word as a whole, and as a prefix. */
function queryTexts(units: readonly QueryTerm[]): string[] {
  const whole = units.map(encodeUnit);
  const prefix = units.at(-1)?.prefix;
  const texts = [whole.join(' ')];
  if (prefix !== undefined) texts.push([...whole.slice(0, -1), encodePrefix(prefix)].join(' '));
  return texts;
}

interface Federated {
  id: string;
  _federation: { indexUid: string; weightedRankingScore: number };
}

/** Searches several indexes in one request; their hits are merged, each document once with its best score. */
async function federated<Hit extends object>(
  { client, uids }: Server,
  queries: readonly IndexQuery[],
  { limit, offset, ...filters }: Window,
  attributes: string[],
): Promise<(Hit & { id: string; score: number; query: IndexQuery })[]> {
  const byUid = new Map(queries.map((query) => [uids.of(query.index), query]));
  const { hits } = await client.multiSearch({
    federation: { limit, offset },
    queries: queries.flatMap(({ index, units }) =>
      queryTexts(units).map((q) => ({
        indexUid: uids.of(index),
        q,
        matchingStrategy: 'all' as const,
        attributesToRetrieve: attributes,
        ...filterOf(index, filters),
      })),
    ),
  });
  return (hits as unknown as (Hit & Federated)[]).flatMap((hit) => {
    const query = byUid.get(hit._federation.indexUid);
    return query ? [{ ...hit, score: Math.max(hit._federation.weightedRankingScore, minScore), query }] : [];
  });
}

/** Documents with all terms, best first. */
export const findAll = (
  server: Server,
  queries: readonly IndexQuery[],
  window: Window,
): Promise<FoundDocument[]> => federated<Shown>(server, queries, window, shown);

interface Candidate {
  query: IndexQuery;
  id: string;
  count: number;
  totalScore: number;
}

/** If no document has all terms: those with most of them first, then by score. */
export function findSome(
  server: Server,
  queries: readonly IndexQuery[],
  window: Window,
): Promise<FoundDocument[]> {
  const most = Math.max(...queries.map(({ units }) => units.length));
  return most === 2 ? findOneOfTwo(server, queries, window) : findMost(server, queries, window, most);
}

/** Of two terms a document has one, and the server sorts those itself. */
async function findOneOfTwo(
  server: Server,
  queries: readonly IndexQuery[],
  window: Window,
): Promise<FoundDocument[]> {
  const single = queries.flatMap(({ index, units }) => units.map((unit) => ({ index, units: [unit] })));
  const found = await federated<Shown>(server, single, window, shown);
  return found.map((document) => ({
    ...document,
    query: queries.find(({ index }) => index === document.query.index) ?? document.query,
    score: document.score / 2,
  }));
}

/** More terms are searched one by one, and the number of matches per document is counted here. */
async function findMost(
  server: Server,
  queries: readonly IndexQuery[],
  { limit, offset, ...filters }: Window,
  most: number,
): Promise<FoundDocument[]> {
  const everything = { ...filters, offset: 0, limit: searchLimits.maxHits };
  const candidates = new Map<string, Candidate>();
  for (let place = 0; place < most; place += 1) {
    const single = queries.flatMap(({ index, units }) => {
      const unit = units[place];
      return unit ? [{ index, units: [unit] }] : [];
    });
    for (const { id, score, query } of await federated<object>(server, single, everything, ['id'])) {
      const key = `${server.uids.of(query.index)} ${id}`;
      const whole = queries.find(({ index }) => index === query.index) ?? query;
      const before = candidates.get(key) ?? { query: whole, id, count: 0, totalScore: 0 };
      candidates.set(key, { ...before, count: before.count + 1, totalScore: before.totalScore + score });
    }
  }
  const scored = [...candidates.values()]
    .map(({ query, id, count, totalScore }) => ({
      query,
      id,
      score: (count - 1 + totalScore / count) / query.units.length,
    }))
    .sort((one, other) => other.score - one.score || (one.id < other.id ? -1 : 1));
  return withDocuments(server, scored.slice(offset, offset + limit));
}

/** The displayed fields of documents, by their ids. */
async function withDocuments(
  { client, uids }: Server,
  found: readonly { query: IndexQuery; id: string; score: number }[],
): Promise<FoundDocument[]> {
  const documents = new Map<string, Shown>();
  for (const query of new Set(found.map((one) => one.query))) {
    const ids = found.filter((one) => one.query === query).map(({ id }) => id);
    const uid = uids.of(query.index);
    const { results } = await client.index(uid).getDocuments<Shown>({ ids, limit: ids.length });
    for (const document of results) documents.set(`${uid} ${document.id}`, document);
  }
  return found.flatMap(({ query, id, score }) => {
    const document = documents.get(`${uids.of(query.index)} ${id}`);
    return document ? [{ ...document, query, score }] : [];
  });
}
