import { createHash } from 'node:crypto';
import { checkFieldSlug, maxSlugLength } from '@quire/content-model';

/** The key of the featured image. */
export const featuredImageKey = '_thumbnail_id';

const legacyPrefix = 'legacy_';
/** Fields that imported collections have of their own (1.2); a meta value must not take their place. */
const baseFields: ReadonlySet<string> = new Set(['title', 'content', 'excerpt', 'featured_image', 'parent']);

const noisePrefixes: readonly string[] = [
  '_edit_',
  '_wp_',
  '_oembed_',
  '_menu_item_',
  '_publicize_',
  '_wpas_',
  '_jetpack_',
  '_transient_',
  '_site_transient_',
];
/** Caches and counters of plugins, marks of the source's own work, and keys that other parts of the import read. */
const noiseKeys: ReadonlySet<string> = new Set([
  '',
  '_encloseme',
  '_pingme',
  'enclosure',
  'footnotes',
  '_elementor_css',
  '_elementor_inline_svg',
  '_elementor_page_assets',
  '_elementor_element_cache',
  '_elementor_controls_usage',
  '_yoast_wpseo_content_score',
  '_yoast_wpseo_linkdex',
  '_yoast_wpseo_estimated-reading-time-minutes',
  '_wc_average_rating',
  '_wc_rating_count',
  '_wc_review_count',
  '_wc_attachment_source',
  '_wpcom_is_markdown',
  '_post_restored_from',
  'post_views_count',
  '_icl_lang_code',
  'trid',
]);

const seoTitle = 'seo_title';
const seoDescription = 'seo_description';
/** Keys of the common SEO plugins. */
const seoFields: ReadonlyMap<string, string> = new Map([
  ['_yoast_wpseo_title', seoTitle],
  ['_yoast_wpseo_metadesc', seoDescription],
  ['rank_math_title', seoTitle],
  ['rank_math_description', seoDescription],
  ['_aioseo_title', seoTitle],
  ['_aioseo_description', seoDescription],
  ['_aioseop_title', seoTitle],
  ['_aioseop_description', seoDescription],
  ['_seopress_titles_title', seoTitle],
  ['_seopress_titles_desc', seoDescription],
  ['_genesis_title', seoTitle],
  ['_genesis_description', seoDescription],
  ['_wds_title', seoTitle],
  ['_wds_metadesc', seoDescription],
  ['jetpack_seo_html_title', seoTitle],
  ['advanced_seo_description', seoDescription],
]);

/** Whether a key is never offered as a field (2.6). Its values are kept in the import record only. */
export function isNoiseKey(key: string): boolean {
  return noiseKeys.has(key) || noisePrefixes.some((prefix) => key.startsWith(prefix));
}

/** Whether the source's editor hides the key; such a key is offered, off by default (2.6). */
export function isInternalKey(key: string): boolean {
  return key.startsWith('_') && !seoFields.has(key);
}

/** Whether a key becomes a field of its own: it is no noise, and not the featured image. */
export function isFieldKey(key: string): boolean {
  return key !== featuredImageKey && !isNoiseKey(key);
}

/**
 * The field of a meta key (2.6), for creating and for filling it. Different keys may have one field: `my-key` and
 * `my_key`.
 * @returns a slug that a field can have; a reserved one, or one of a base field, gets the prefix `legacy_`
 */
export function fieldSlugOf(key: string): string {
  const seo = seoFields.get(key);
  if (seo !== undefined) return seo;
  const slug = key
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '_')
    .replace(/^[^a-z]+/, '')
    .slice(0, maxSlugLength);
  // Keys without a Latin letter would all have the same field.
  if (slug === '') return `meta_${createHash('sha256').update(key).digest('hex').slice(0, 8)}`;
  const isTaken = baseFields.has(slug) || checkFieldSlug(slug)?.code === 'RESERVED_SLUG';
  return isTaken ? `${legacyPrefix}${slug}` : slug;
}
