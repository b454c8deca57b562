import { describe, expect, it } from '@jest/globals';
import { checkFieldSlug } from '@quire/content-model';
import { fieldSlugOf, isFieldKey, isInternalKey, isNoiseKey } from './meta-keys.js';

describe('fieldSlugOf', () => {
  it.each([
    ['subtitle', 'subtitle'],
    ['my-hyphen-key', 'my_hyphen_key'],
    ['Überschrift', 'berschrift'],
    ['9lives', 'lives'],
    ['_price', 'price'],
    ['id', 'legacy_id'],
    ['_Status', 'legacy_status'],
    ['terms', 'legacy_terms'],
    ['content', 'legacy_content'],
    ['featured_image', 'legacy_featured_image'],
    ['parent', 'legacy_parent'],
    ['locale', 'locale'],
    ['_yoast_wpseo_title', 'seo_title'],
    ['rank_math_description', 'seo_description'],
  ])('makes %s %s', (key, slug) => {
    expect(fieldSlugOf(key)).toBe(slug);
    expect(checkFieldSlug(slug)).toBeNull();
  });

  it('cuts long keys, and gives keys without Latin letters a slug each', () => {
    expect(fieldSlugOf('k'.repeat(80))).toBe('k'.repeat(63));
    const slugs = ['価格', '色', '123', '_'].map(fieldSlugOf);
    expect(slugs.map(checkFieldSlug)).toEqual([null, null, null, null]);
    expect(new Set(slugs).size).toBe(4);
  });
});

describe('the kinds of keys', () => {
  it.each([
    '',
    '_edit_last',
    '_wp_old_slug',
    '_oembed_1f',
    '_menu_item_url',
    '_encloseme',
    'enclosure',
    'footnotes',
    'trid',
  ])('takes "%s" for noise', (key) => {
    expect(isNoiseKey(key)).toBe(true);
    expect(isFieldKey(key)).toBe(false);
  });

  it('offers prices of shops as internal fields, and SEO texts as plain ones', () => {
    for (const key of ['_price', '_sku', 'subtitle', '_yoast_wpseo_title'])
      expect(isFieldKey(key)).toBe(true);
    expect(['_price', 'subtitle', '_yoast_wpseo_title'].map(isInternalKey)).toEqual([true, false, false]);
  });

  it('offers no field for the featured image', () => {
    expect(isNoiseKey('_thumbnail_id')).toBe(false);
    expect(isFieldKey('_thumbnail_id')).toBe(false);
  });
});
