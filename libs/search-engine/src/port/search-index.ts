/** How text is cut into what can be found. Spec document 1, Search. */
export const tokenizers = ['porter unicode61', 'unicode61', 'trigram'] as const;
export type Tokenizer = (typeof tokenizers)[number];

/**
 * Which entries a search finds: those in a status, by the text that has it, or `all`, by their live and their
 * staged text.
 */
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
  /**
   * What a match in a field counts, by field slug: above 0, and 1 where none is given. At most four weights are told
   * apart.
   */
  weights: Readonly<Record<string, number>>;
  /**
   * What a match in the title counts; unless told, ten times the heaviest field. With 0 the title is shown and
   * suggested, not found.
   */
  titleWeight?: number;
}

/** What of an entry can be found. An entry that is in the trash or gone is removed. */
export interface IndexDocument {
  /** ULID of the entry. */
  id: string;
  /**
   * Grows with each change of the entry, publishing and trashing included: a safe integer from 0 on. The newest wins,
   * whatever the order of arrival.
   */
  version: number;
  locale: string;
  /** At least one and at most `searchLimits.viewsPerDocument`; each status is that of one view at most. */
  views: readonly DocumentView[];
}

/**
 * An entry's text as searches of some statuses find it: a published entry with a staged draft has two texts.
 */
export interface DocumentView {
  statuses: readonly SearchStatus[];
  slug: string | null;
  /**
   * The text of the collection's title field; null when it has none or the entry gives it no value. Not among `fields`
   * again.
   */
  title: string | null;
  /**
   * Plain text of each searchable field by slug, paragraphs divided by line breaks. Any string is taken: ends of long
   * texts beyond `searchLimits.documentCharacters`, control characters and lone surrogates are left out.
   */
  fields: Readonly<Record<string, string>>;
}

export interface RemovedDocument {
  id: string;
  version: number;
}

/** The version of what is deleted for good: nothing is newer. */
export const lastVersion = Number.MAX_SAFE_INTEGER;

/** Bounds of what is put and asked. */
export const searchLimits = {
  documentsPerBatch: 500,
  viewsPerDocument: 3,
  /**
   * Characters of a document that can be found: title and fields share them, short ones whole, long ones each with an
   * equal part.
   */
  documentCharacters: 100_000,
  /** The same with `trigram`, where each character begins a token. */
  trigramDocumentCharacters: 50_000,
  /** A longer word is cut, in documents and in queries alike. */
  wordCharacters: 40,
  /** Characters of a query that are looked at; the rest is ignored. */
  queryCharacters: 500,
  /** Words of a query that are looked at; the rest is ignored. */
  queryWords: 10,
  /** Hits after this one are not reached: `offset + limit` ends here. */
  maxHits: 1_000,
  collectionsPerSearch: 100,
  snippetCharacters: 200,
} as const;
