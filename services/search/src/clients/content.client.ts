import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import type { IndexDocument } from '@quire/search-engine';
import type { InternalApiClient } from '@quire/http-server';

/** What content says of a collection. */
export interface ContentCollection {
  id: string;
  slug: string;
  hidden: boolean;
  /** The field whose text is the title of what is found. */
  titleField: string | null;
  /** Searchable fields that have text; the title field among them when it is one. */
  fields: string[];
  /** Differs when entries that did not change would be found otherwise. */
  fingerprint: string;
}

/** The present state of some entries, or of a page of all that are not in the trash. */
export interface ContentDocuments {
  collection: ContentCollection;
  documents: IndexDocument[];
  /** Of the entries that were asked for, those that are in the trash or gone. */
  removed: string[];
  /**
   * Of the entries that were asked for, those that are to be asked for again, because all at once would be too much.
   */
  left: string[];
  version: number;
}

/** How many entries of a collection are not in the trash. */
export interface EntryCounts {
  all: number;
  published: number;
}

type DocumentsResponse = Omit<ContentDocuments, 'documents'> & {
  counts?: EntryCounts;
  documents: Omit<IndexDocument, 'version'>[];
};

/** Content as the search service needs it. */
export class ContentClient {
  constructor(private readonly contentClient: InternalApiClient) {}

  /** What a collection is now. @throws QuireError COLLECTION_NOT_FOUND, SERVICE_UNAVAILABLE */
  async collection(ctx: Context, slug: string): Promise<ContentCollection> {
    return (await this.documents(ctx, slug, [])).collection;
  }

  /**
   * How many entries of a collection can be found. @throws QuireError COLLECTION_NOT_FOUND,
   * SERVICE_UNAVAILABLE
   */
  async count(ctx: Context, collection: string): Promise<EntryCounts> {
    const { counts } = await this.answer(ctx, { collection, ids: [], counts: true });
    if (counts === undefined) throw new Error('Content service returned no entry counts');
    return counts;
  }

  /**
   * The present state of at most 200 entries, of one of them at least.
   * @throws QuireError COLLECTION_NOT_FOUND, SERVICE_UNAVAILABLE
   */
  documents(ctx: Context, collection: string, ids: readonly string[]): Promise<ContentDocuments> {
    return this.request(ctx, { collection, ids });
  }

  /**
   * A page of all entries that are not in the trash, by id; an empty one is the last. @throws QuireError
   * COLLECTION_NOT_FOUND, SERVICE_UNAVAILABLE
   */
  page(ctx: Context, collection: string, after: string | null, limit: number): Promise<ContentDocuments> {
    return this.request(ctx, { collection, after, limit });
  }

  /** Has content tell of each change of a collection's entries, or no more. @throws QuireError COLLECTION_NOT_FOUND */
  async follow(ctx: Context, collection: string, follows: boolean): Promise<void> {
    await this.contentClient.request(ctx, 'changes/follow', { follower: 'search', collection, follows });
  }

  private async request(ctx: Context, body: object): Promise<ContentDocuments> {
    const { documents, version, ...answer } = await this.answer(ctx, body);
    return { ...answer, version, documents: documents.map((document) => ({ ...document, version })) };
  }

  private answer(ctx: Context, body: object): Promise<DocumentsResponse> {
    return this.contentClient.request<DocumentsResponse>(ctx, 'search-documents', body);
  }
}

/** The result of a request, or undefined when the collection does not exist. */
export async function undefinedIfNotFound<Result>(question: Promise<Result>): Promise<Result | undefined> {
  try {
    return await question;
  } catch (error) {
    if (error instanceof QuireError && error.code === 'COLLECTION_NOT_FOUND') return undefined;
    throw error;
  }
}
