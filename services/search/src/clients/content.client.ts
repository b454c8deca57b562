import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import { contentApi, type CallInput } from '@quire/internal-api';
import type { IndexDocument } from '@quire/search-engine';
import type { InternalApiClient } from '@quire/service-client';

/** A collection with the properties that determine its index. */
export type ContentCollection = contentApi.SearchDocuments['collection'];

/** The current state of entries, or of a page of all entries outside the trash. */
export type ContentDocuments = Omit<contentApi.SearchDocuments, 'documents' | 'counts'> & {
  documents: IndexDocument[];
};

/** Numbers of a collection's entries outside the trash. */
type EntryCounts = NonNullable<contentApi.SearchDocuments['counts']>;

/**
 * Reads and writes of the collection queue behind a subscription that waits for long writers, such as an import: work
 * that is repeated later anyway does not wait for them.
 */
const backgroundWaitMs = 500;

export interface SubscriptionOptions {
  /** Whether the caller tries again later, and no client waits for it. */
  isBackground?: boolean;
}

/** The client of the content service. */
export class ContentClient {
  constructor(private readonly content: InternalApiClient) {}

  /** All collections of the site. @throws QuireError SERVICE_UNAVAILABLE */
  async collections(ctx: Context): Promise<contentApi.RegisteredCollection[]> {
    return (await this.content.call(contentApi.listRegisteredCollections, ctx)).collections;
  }

  /** Reads the current state of a collection. @throws QuireError COLLECTION_NOT_FOUND, SERVICE_UNAVAILABLE */
  async collection(ctx: Context, slug: string): Promise<ContentCollection> {
    return (await this.documents(ctx, slug, [])).collection;
  }

  /** Counts the entries of a collection. @throws QuireError COLLECTION_NOT_FOUND, SERVICE_UNAVAILABLE */
  async count(ctx: Context, collection: string): Promise<EntryCounts> {
    const request = { collection, ids: [], counts: true };
    const { counts } = await this.content.call(contentApi.getSearchDocuments, ctx, request);
    if (counts === undefined) throw new Error('Content service returned no entry counts');
    return counts;
  }

  /**
   * Reads the current state of at most `contentApi.maxDocumentIds` entries; the response has at least one of them.
   * @throws QuireError COLLECTION_NOT_FOUND, SERVICE_UNAVAILABLE
   */
  documents(ctx: Context, collection: string, ids: readonly string[]): Promise<ContentDocuments> {
    return this.request(ctx, { collection, ids: [...ids] });
  }

  /**
   * Reads a page of all entries outside the trash in order of their ids. The last page is empty.
   * @throws QuireError COLLECTION_NOT_FOUND, SERVICE_UNAVAILABLE
   */
  page(ctx: Context, collection: string, after: string | null, limit: number): Promise<ContentDocuments> {
    return this.request(ctx, { collection, after, limit });
  }

  /**
   * Subscribes the search worker to the changes of a collection's entries, or unsubscribes it.
   * @throws QuireError COLLECTION_NOT_FOUND, SERVICE_UNAVAILABLE, also while writers of the collection do not finish
   */
  async setSubscription(
    ctx: Context,
    collection: string,
    isSubscribed: boolean,
    { isBackground = false }: SubscriptionOptions = {},
  ): Promise<void> {
    const subscription = {
      subscriber: 'search',
      collection,
      isSubscribed,
      ...(isBackground && { maxWaitMs: backgroundWaitMs }),
    } as const;
    await this.content.call(contentApi.updateChangeSubscription, ctx, subscription);
  }

  private async request(
    ctx: Context,
    request: CallInput<typeof contentApi.getSearchDocuments>,
  ): Promise<ContentDocuments> {
    const { documents, ...response } = await this.content.call(contentApi.getSearchDocuments, ctx, request);
    const { version } = response;
    return { ...response, documents: documents.map((document) => ({ ...document, version })) };
  }
}

/** The result of a request, or undefined when the collection does not exist. */
export async function undefinedIfNotFound<Result>(request: Promise<Result>): Promise<Result | undefined> {
  try {
    return await request;
  } catch (error) {
    if (error instanceof QuireError && error.code === 'COLLECTION_NOT_FOUND') return undefined;
    throw error;
  }
}
