import { Meilisearch, MeilisearchApiError, MeilisearchError } from 'meilisearch';
import { SearchEngineUnavailable, SearchIndexMissing } from '../port/search-engine-errors.js';
import type { SearchIndex, SearchStatus } from '../port/search-index.js';
import type { IndexName } from '../tables/index-tables.js';

export interface MeilisearchOptions {
  url: string;
  key: string;
  /** Separates installations (and test runs) that share a server: lower-case letters, digits and `_`. */
  namespace: string;
  /** Timeout of a request; some seconds by default. */
  timeoutMs?: number;
}

const defaultTimeoutMs = 5_000;

/** A client whose requests have a timeout. */
export function createMeiliClient({
  url,
  key,
  timeoutMs = defaultTimeoutMs,
}: MeilisearchOptions): Meilisearch {
  return new Meilisearch({ host: url, apiKey: key, timeout: timeoutMs });
}

/** Names of a tenant's indexes on the server. */
export class IndexUids {
  private readonly prefix: string;

  constructor(namespace: string, tenantId: string) {
    this.prefix = `${namespace}-${tenantId}-`;
  }

  of({ collectionId, generation }: IndexName): string {
    return `${this.ofCollection(collectionId)}-${generation}`;
  }

  /** The part of the name that all generations of a collection share. */
  ofCollection(collectionId: string): string {
    return `${this.prefix}${collectionId}`;
  }

  /** Divides a name into the collection's part and the generation; undefined for a name of another form. */
  static parse(uid: string): { collection: string; generation: number } | undefined {
    const [, collection, generation] = /^(.+)-(\d+)$/.exec(uid) ?? [];
    return collection === undefined ? undefined : { collection, generation: Number(generation) };
  }
}

/** A server, and the names of one tenant's indexes on it. */
export interface Server {
  client: Meilisearch;
  uids: IndexUids;
}

/** The filter of documents in addition to matching. An index of format 1 has no statuses: all its text is published. */
export const filterOf = (
  { format }: Pick<SearchIndex, 'format'>,
  { status, locale }: { status: SearchStatus; locale?: string | undefined },
): { filter?: string[] } => {
  const filter = [
    ...(format > 1 ? [`statuses = ${status}`] : []),
    ...(locale === undefined ? [] : [`locale = ${JSON.stringify(locale)}`]),
  ];
  return filter.length === 0 ? {} : { filter };
};

/** An error of a request or a task, as Meilisearch reports it. */
export const missingIndex = 'index_not_found';
export const indexExists = 'index_already_exists';

const apiCode = (error: unknown): string | undefined =>
  error instanceof MeilisearchApiError ? error.cause?.code : undefined;

/**
 * Runs requests to the server about these indexes.
 * @throws SearchIndexMissing when the server does not have one of them, SearchEngineUnavailable for every other error
 */
export async function withMeilisearchErrors<Result>(
  uids: IndexUids,
  indexes: readonly IndexName[],
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof MeilisearchError)) throw error;
    if (apiCode(error) === missingIndex) {
      const missing = indexes.find((index) => error.message.includes(`\`${uids.of(index)}\``)) ?? indexes[0];
      if (missing) throw new SearchIndexMissing(missing.collectionId, missing.generation);
    }
    throw new SearchEngineUnavailable(error);
  }
}
