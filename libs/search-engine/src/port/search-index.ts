/** How text is divided into terms. Spec document 1, Search. */
export const tokenizers = ['porter unicode61', 'unicode61', 'trigram'] as const;
export type Tokenizer = (typeof tokenizers)[number];

/** The entries that a search finds: those in a status, by its text, or `all`, by their live and their staged text. */
export const searchStatuses = ['published', 'draft', 'scheduled', 'all'] as const;
export type SearchStatus = (typeof searchStatuses)[number];

/**
 * Format of stored documents: an index of an older format is rebuilt. Format 1 has only published text and no statuses;
 * it is searched only for `published`, and gets only published text.
 */
export const indexFormat = 2;

/** One generation of a collection's index. Its properties never change: the service stores them in a row. */
export interface SearchIndex {
  /** ULID of the collection. */
  collectionId: string;
  /** 1, 2, …: a rebuilt index has the next number. */
  generation: number;
  tokenizer: Tokenizer;
  /** `indexFormat` at the time it was created. */
  format: number;
  /** Weight of a match in a field, by field slug: above 0, default 1. At most four weights are distinguished. */
  weights: Readonly<Record<string, number>>;
  /**
   * Weight of a match in the title; default: ten times the heaviest field. With 0 the title is shown and suggested, but
   * not searched.
   */
  titleWeight?: number;
}

/** The searchable content of an entry. An entry that is trashed or deleted is removed. */
export interface IndexDocument {
  /** ULID of the entry. */
  id: string;
  /**
   * Increases with each change of the entry, including publishing and trashing: a safe integer from 0 on. The newest
   * wins, independent of the order of arrival.
   */
  version: number;
  locale: string;
  /** At least one and at most `searchLimits.viewsPerDocument`; a status belongs to one view at most. */
  views: readonly DocumentView[];
}

/** An entry's text for searches of some statuses: a published entry with a staged draft has two texts. */
export interface DocumentView {
  statuses: readonly SearchStatus[];
  slug: string | null;
  /** The text of the collection's title field, or null if there is none. It is not repeated in `fields`. */
  title: string | null;
  /**
   * Plain text of each searchable field by slug, paragraphs divided by line breaks. Any string is accepted: the excess
   * of long texts beyond `searchLimits.documentCharacters`, control characters and unpaired surrogates are left out.
   */
  fields: Readonly<Record<string, string>>;
}

export interface RemovedDocument {
  id: string;
  version: number;
}

/** The version of a permanently deleted entry: nothing is newer. */
export const lastVersion = Number.MAX_SAFE_INTEGER;

/** Limits of documents and queries. */
export const searchLimits = {
  documentsPerBatch: 500,
  viewsPerDocument: 3,
  /**
   * Searchable characters of a document: title and fields share them, short ones as a whole, long ones in equal parts.
   */
  documentCharacters: 100_000,
  /** The same with `trigram`, where a token begins at each character. */
  trigramDocumentCharacters: 50_000,
  /** A longer word is truncated, in documents and in queries. */
  wordCharacters: 40,
  /** Characters of a query; the rest is ignored. */
  queryCharacters: 500,
  /** Words of a query; the rest is ignored. */
  queryWords: 10,
  /** Maximum of `offset + limit`: later hits cannot be reached. */
  maxHits: 1_000,
  collectionsPerSearch: 100,
  snippetCharacters: 200,
} as const;
