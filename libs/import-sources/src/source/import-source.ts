import type { GuardedFetch } from '@quire/outgoing-http';
import type { MatchInput } from '../match/match.js';
import type { ItemInput } from '../item/item.js';
import type { Analysis } from './analysis.js';

/**
 * A kind of site or file whose content can be imported (spec document 3, rule 7; sheet import-and-fields, 7). A package
 * offers one by exporting this object, or a function that returns it; an installation lists it under `import.sources`
 * of cms.config.mjs. The built-in sources have the same interface.
 *
 * Quire sends requests only through `context.fetch`, validates what a source returns, and writes the entries. A source
 * has no access to the database.
 */
export interface ImportSource {
  /** Unique name: lower-case letters, digits and dashes. Entries keep it as their origin: never change it. */
  readonly id: string;
  /** Name for users. */
  readonly name: string;
  /** One sentence for users. */
  readonly description: string;
  readonly icon: 'upload' | 'globe' | 'plug';
  /** Whether the input has to be a file. */
  readonly requiresFile?: boolean;
  /** Whether `probe` is called; default: whether there is one. */
  readonly canProbe?: boolean;

  /**
   * Detects whether a site belongs to the source. Probes of all sources run at once; an error, or no answer within the
   * time limit, counts as null.
   * @param url address of the site without a slash at the end, checked to be public
   * @returns null for a site of another kind
   */
  probe?(url: string, context: ProbeContext): Promise<MatchInput | null>;

  /**
   * Describes the content of the input. It writes nothing.
   * @throws ImportSourceError with a message for the user
   */
  analyze(input: SourceInput, context: AnalysisContext): Promise<Analysis>;

  /**
   * Yields the content, one item at a time: the next one is requested when the last one is stored. When a run stops,
   * the iterator is closed with `return()`, so that `finally` blocks of a generator run.
   * @throws ImportSourceError with a message for the user, while iterated too. The run ends then.
   */
  fetchContent(
    input: SourceInput,
    options: ContentOptions,
    context: ContentContext,
  ): AsyncIterable<ItemInput>;

  /** Downloads a media file of the source, where a plain request without credentials does not get it. */
  fetchMedia?(url: string, input: SourceInput, context: SourceContext): Promise<Response>;
}

/** The input that a user gave for a source. */
export type SourceInput =
  | { readonly type: 'file'; readonly file: Blob }
  | { readonly type: 'url'; readonly url: string; readonly token?: string }
  | { readonly type: 'oauth'; readonly url: string; readonly accessToken: string; readonly siteId?: string };

/** The selection of `fetchContent`. */
export interface ContentOptions {
  /** Names of the requested types. */
  readonly postTypes: readonly string[];
  /** Whether items that are not published are requested too; default: false. */
  readonly includeDrafts?: boolean;
  /** Maximum number of items. */
  readonly limit?: number;
}

export interface SourceContext {
  /**
   * Requests public addresses only, and limits time and size of the response; it follows up to 5 redirects. It rejects
   * when `signal` is aborted.
   */
  readonly fetch: GuardedFetch;
  /** Aborted when the result is not needed any more. */
  readonly signal: AbortSignal;
}

export interface ContentContext extends SourceContext {
  /**
   * Converts HTML, with or without block markup, to the rich text of an item's `content`. Scripts and unsafe links are
   * left out.
   * @param siteUrl address of the source site: links below it become relative ones
   */
  toRichText(html: string, siteUrl?: string): RichTextBlock[];
}

export interface RichTextBlock {
  readonly _type: string;
  readonly [key: string]: unknown;
}

export interface ProbeContext extends SourceContext {
  /** Origin at which the browser reaches this site, "https://example.com"; null if unknown. */
  readonly origin: string | null;
}

export interface AnalysisContext extends ContentContext {
  /** The collections of the site by slug, with their fields. */
  getExistingCollections(): Promise<ReadonlyMap<string, readonly ExistingField[]>>;
  /**
   * Describes content by its items, which it reads to their end: for sources that have no faster way. Invalid items are
   * warnings.
   * @throws the error of the iteration
   */
  analyzeItems(items: AsyncIterable<ItemInput>): Promise<Analysis>;
}

export interface ExistingField {
  readonly slug: string;
  /** A field type of spec document 3. */
  readonly type: string;
}
