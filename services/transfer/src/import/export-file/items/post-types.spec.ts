import { describe, expect, it } from '@jest/globals';
import { checkCollectionSlug } from '@quire/content-model';
import { contentKindOf, suggestedCollection } from './post-types.js';

describe('contentKindOf', () => {
  it.each([
    ['post', 'entry'],
    ['acf-field-group', 'entry'],
    ['users', 'entry'],
    ['constructor', 'entry'],
    ['attachment', 'attachment'],
    ['wp_block', 'section'],
    ['nav_menu_item', 'menu-item'],
    ['revision', 'skipped'],
    ['wp_font_face', 'skipped'],
  ])('reads %s as %s', (type, kind) => {
    expect(contentKindOf(type)).toBe(kind);
  });
});

describe('suggestedCollection', () => {
  it.each([
    ['post', 'posts'],
    ['faq', 'faqs'],
    ['book', 'book'],
    ['acf-field-group', 'acf_field_group'],
    ['Shop.Order', 'shop_order'],
    ['3d-model', 'd_model'],
    ['users', 'legacy_users'],
    ['media', 'legacy_media'],
    ['日本', 'imported'],
  ])('suggests for %s %s', (type, slug) => {
    expect(suggestedCollection(type)).toBe(slug);
  });

  it('gives two types different slugs of at most 63 characters', () => {
    expect(suggestedCollection('my-type', new Set(['my_type', 'my_type_1']))).toBe('my_type_2');
    const long = 'x'.repeat(80);
    const first = suggestedCollection(long);
    const second = suggestedCollection(long, new Set([first]));
    expect(second).toBe(`${'x'.repeat(61)}_1`);
    expect([first, second].map(checkCollectionSlug)).toEqual([null, null]);
  });
});
