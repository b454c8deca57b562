import type { contentImportApi } from '@quire/internal-api';
import { UrlMap } from '@quire/values';
import type { CollectionDefinition } from '../../schema/index.js';
import { isRewritten, RewriteContext, rewriteRichText, rewriteValues } from './values/index.js';

/**
 * The files of a source that are in the media library already: an import writes values that name them as `rewriteUrls`
 * would leave them (contract 1.6), so that a changed source does not bring its former addresses back.
 */
export class KnownMedia {
  private readonly urls: UrlMap;
  private readonly files: ReadonlyMap<string, contentImportApi.KnownMedia['file']>;

  constructor(media: readonly contentImportApi.KnownMedia[]) {
    this.urls = new UrlMap(Object.fromEntries(media.map(({ address, file }) => [address, file.url])));
    this.files = new Map(media.map(({ file }) => [file.url, file]));
  }

  /** @returns valid values with items of the library; a value whose field does not accept its item stays. */
  inValues(definition: CollectionDefinition, values: Record<string, unknown>): Record<string, unknown> {
    if (this.urls.isEmpty) return values;
    const context = new RewriteContext(this.urls, this.files, definition.blockFields);
    return { ...values, ...rewriteValues(definition.columns.filter(isRewritten), values, context) };
  }

  /** @returns the rich text of a section with items of the library. */
  inRichText<Content>(content: Content): Content {
    // Blocks of sections are rich text only.
    const context = new RewriteContext(this.urls, this.files, () => null);
    return this.urls.isEmpty ? content : (rewriteRichText(content, context) as Content);
  }
}
