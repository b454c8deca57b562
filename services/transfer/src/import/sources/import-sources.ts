import { invalidInput } from '@quire/errors';
import {
  fetchItems,
  type Analysis,
  type AnalysisContext,
  type ContentContext,
  type ContentOptions,
  type ImportSource,
  type Item,
  type ItemFault,
  type SourceInput,
} from '@quire/import-sources';
import { convertContent } from '../conversion/index.js';
import { analyzeItems } from './items/index.js';
import { assertPublicAddress, withSignal, type SourceNetwork } from './source-network.js';

/** The import sources of the installation. */
export class ImportSources {
  /**
   * @param all in the order of their registration: built-in ones first
   * @param network the only access of the sources to other sites
   */
  constructor(
    readonly all: readonly ImportSource[],
    readonly network: SourceNetwork,
  ) {}

  /** The sources that detect sites. */
  get probing(): readonly ImportSource[] {
    return this.all.filter(({ probe, canProbe }) => probe !== undefined && canProbe !== false);
  }

  /**
   * Finds a registered source.
   * @throws QuireError VALIDATION_ERROR that names `sourceId`
   */
  openSource(sourceId: string): ImportSource {
    const source = this.all.find(({ id }) => id === sourceId);
    if (source) return source;
    throw invalidInput([{ path: 'sourceId', message: 'is not the id of an import source' }]);
  }

  /**
   * Reads the items of a source lazily, see `fetchItems` of libs/import-sources: an invalid item is a fault, and the
   * iterator of the source is closed when the caller stops.
   * @param signal stops the run
   * @throws QuireError SSRF_BLOCKED for an address that is not public; the error of the source; the signal's reason
   */
  async *fetchItems(
    source: ImportSource,
    input: SourceInput,
    options: ContentOptions,
    signal: AbortSignal = new AbortController().signal,
  ): AsyncGenerator<Item | ItemFault, void, undefined> {
    if (input.type !== 'file') await assertPublicAddress(this.network, input.url);
    yield* fetchItems(source, input, options, this.contextOf(signal));
  }

  /**
   * Describes the content of a source; nothing is stored.
   * @param getExistingCollections the collections of the site
   * @throws the error of the source
   */
  analyze(
    source: ImportSource,
    input: SourceInput,
    { signal, getExistingCollections }: Pick<AnalysisContext, 'signal' | 'getExistingCollections'>,
  ): Promise<Analysis> {
    const site = { title: source.name, url: input.type === 'file' ? '' : input.url };
    return source.analyze(input, {
      ...this.contextOf(signal),
      getExistingCollections,
      analyzeItems: async (items) =>
        analyzeItems(items, { sourceId: source.id, site }, await getExistingCollections()),
    });
  }

  /** The context of `fetchContent` and `fetchMedia`. */
  contextOf(signal: AbortSignal): ContentContext {
    return { fetch: withSignal(this.network.contentFetch, signal), signal, toRichText };
  }
}

/** A source has no attachments and sections that its content could refer to by id. */
const toRichText: ContentContext['toRichText'] = (html, siteUrl) =>
  convertContent(html, {
    ...(siteUrl !== undefined && { siteUrl }),
    sectionSlug: () => undefined,
    attachment: () => undefined,
    childAttachments: () => [],
  }).blocks;
