import { randomUUID } from 'node:crypto';
import { Database } from '@quire/database';
import { ulid } from '@quire/values';
import type { SearchSite, SiteIndexes } from '../port/search-engine.js';
import {
  indexFormat,
  type DocumentView,
  type IndexDocument,
  type SearchIndex,
  type Tokenizer,
} from '../port/search-index.js';
import type { SearchRequest, Suggestion } from '../port/search-request.js';

/** Sites whose tables are in separate schemas. */
export interface Sites {
  add(): Promise<SearchSite>;
  close(): Promise<void>;
}

export async function openSites(url: string): Promise<Sites> {
  const database = await Database.connect({ url, poolSize: 4, applicationName: 'search-engine-spec' });
  return {
    async add() {
      const tenantId = `t-${randomUUID().slice(0, 18)}`;
      const db = database.inSchema(`site_${tenantId}`);
      await db.query(`CREATE SCHEMA "site_${tenantId}"`);
      return { tenantId, db };
    },
    close: () => database.close(),
  };
}

export const newIndex = (tokenizer: Tokenizer = 'porter unicode61', more: Partial<SearchIndex> = {}) => ({
  collectionId: ulid(),
  generation: 1,
  tokenizer,
  format: indexFormat,
  weights: {},
  ...more,
});

export type Given = Partial<Omit<IndexDocument, 'views'> & DocumentView> & { body?: string };

/** A view with the given properties and defaults. */
export function newView({ body, ...given }: Partial<DocumentView> & { body?: string }): DocumentView {
  const fields: Record<string, string> = body === undefined ? {} : { body };
  return { statuses: ['published', 'all'], slug: null, title: null, fields, ...given };
}

/** A published document with the given properties and defaults. */
export function newDocument({ id = ulid(), version = 1, locale = 'en', ...view }: Given): IndexDocument {
  return { id, version, locale, views: [newView(view)] };
}

/** Creates an index of exactly these documents. */
export async function indexOf(
  indexes: SiteIndexes,
  documents: readonly Given[],
  more: Partial<SearchIndex> = {},
): Promise<SearchIndex> {
  const index = newIndex(more.tokenizer, more);
  await indexes.create(index);
  await indexes.put(index, documents.map(newDocument));
  await indexes.settle(index);
  return index;
}

type SearchOptions = Partial<SearchRequest> & Pick<SearchRequest, 'indexes'>;

export const searchIndexes = (indexes: SiteIndexes, text: string, options: SearchOptions) =>
  indexes.search({ text, status: 'published', limit: 20, offset: 0, ...options });

/** Titles of the hits, best first. */
export async function titlesOf(
  indexes: SiteIndexes,
  text: string,
  index: SearchIndex,
  options: Partial<SearchRequest> = {},
): Promise<(string | null)[]> {
  const { hits } = await searchIndexes(indexes, text, { indexes: [index], ...options });
  return hits.map(({ title }) => title);
}

/** The fragment of the only hit. */
export async function snippetFor(
  indexes: SiteIndexes,
  text: string,
  index: SearchIndex,
): Promise<string | undefined> {
  const { hits } = await searchIndexes(indexes, text, { indexes: [index] });
  if (hits.length !== 1) throw new Error(`There are ${hits.length} hits of ${text}`);
  return hits[0]?.snippet;
}

export const suggested = async (
  indexes: SiteIndexes,
  text: string,
  index: SearchIndex,
  more: { locale?: string; limit?: number } = {},
): Promise<string[]> => {
  const found: Suggestion[] = await indexes.suggest({ text, indexes: [index], limit: 5, ...more });
  return found.map(({ title }) => title);
};
