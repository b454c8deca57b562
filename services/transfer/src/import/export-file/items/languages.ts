import type { ExportItem } from '../reading/export-item.js';
import { decodeSlug } from './slug.js';

/** The language of an item, and the key that it shares with its translations. */
export interface SourceLanguage {
  locale?: string;
  group?: string;
}

/**
 * Reads the language as two families of plugins store it (2.8): meta `_icl_lang_code` and `trid`, or the taxonomies
 * `language` and `post_translations`. Groups of the two families never have the same key.
 * @returns an empty object if the item says nothing
 */
export function languageOf(item: Pick<ExportItem, 'meta' | 'terms'>): SourceLanguage {
  const meta = (key: string) => item.meta.find((entry) => entry.key === key)?.value.trim() || undefined;
  const term = (domain: string) => {
    const nicename = item.terms.find((entry) => entry.domain === domain)?.nicename ?? '';
    return decodeSlug(nicename) || undefined;
  };
  const [trid, translations] = [meta('trid'), term('post_translations')];
  const locale = meta('_icl_lang_code') ?? term('language');
  const group = trid === undefined ? translations : `trid:${trid}`;
  return { ...(locale !== undefined && { locale }), ...(group !== undefined && { group }) };
}
