import { describe, expect, it } from '@jest/globals';
import { isSlug } from '@quire/content-model';
import type { ExportItemTerm } from '../reading/export-item.js';
import { taxonomyName } from './taxonomies.js';
import { assignmentsOf, declaredMenu, declaredTerm } from './terms.js';

const term = (domain: string | null, nicename: string | null, name: string): ExportItemTerm => ({
  domain,
  nicename,
  name,
});
const assigned = (...terms: ExportItemTerm[]) =>
  assignmentsOf({ terms }).map(({ taxonomy, slug, name }) => [taxonomy, slug, name]);
const declared = { id: 3, taxonomy: 'category', slug: 'a', parent: '', name: 'A', description: '' };

describe('assignmentsOf', () => {
  it('maps the taxonomies and decodes slugs and names', () => {
    expect(
      assigned(
        term('category', '%d8%a3%d8%ae', 'أخ'),
        term('post_tag', 'alpha', 'A &amp; B'),
        term('tag', 'c', 'C++'),
        term('shop-brand', 'acme', ''),
      ),
    ).toEqual([
      ['category', 'أخ', 'أخ'],
      ['tag', 'alpha', 'A & B'],
      ['tag', 'c', 'C++'],
      ['shop_brand', 'acme', 'acme'],
    ]);
  });

  it('leaves out repetitions, also those of old files without a slug', () => {
    expect(
      assigned(
        term(null, null, 'News'),
        term('category', 'news', 'News'),
        term('category', 'news', 'News'),
        term('tag', null, 'One'),
        term('tag', 'one', 'One'),
        term('post_tag', 'one', 'One'),
      ),
    ).toEqual([
      ['category', 'news', 'News'],
      ['tag', 'one', 'One'],
    ]);
  });

  it('keeps a term without a slug if no other element has its name', () => {
    expect(assigned(term('category', null, 'Named only'), term('category', 'leaf', 'Leaf'))).toEqual([
      ['category', 'leaf', 'Leaf'],
      ['category', null, 'Named only'],
    ]);
    expect(assigned(term(null, null, 'Bare'))).toEqual([['category', null, 'Bare']]);
    expect(assigned(term(null, null, 'Bare'), term('category', 'leaf', 'Leaf'))).toEqual([
      ['category', 'leaf', 'Leaf'],
    ]);
  });

  it('leaves out what is not content', () => {
    const others = ['nav_menu', 'post_format', 'language', 'post_translations', 'term_language', 'wp_theme'];
    expect(assigned(...others.map((domain) => term(domain, 'x', 'X')), term('category', null, ''))).toEqual(
      [],
    );
  });

  it('keeps apart two taxonomies of one name', () => {
    const terms = [term('shop-brand', 'a', 'A'), term('shop_brand', 'a', 'A')];
    expect(assignmentsOf({ terms }).map(({ sourceTaxonomy }) => sourceTaxonomy)).toEqual([
      'shop-brand',
      'shop_brand',
    ]);
  });
});

describe('declaredTerm', () => {
  it('decodes slugs; parents are slugs', () => {
    expect(
      declaredTerm({
        ...declared,
        slug: '%e6%97%a5',
        parent: '%e6%9c%ac',
        name: 'A &amp; B',
        description: ' two\nlines ',
      }),
    ).toEqual({
      id: 3,
      sourceTaxonomy: 'category',
      taxonomy: 'category',
      slug: '日',
      parent: '本',
      name: 'A & B',
      description: 'two\nlines',
    });
    expect(declaredTerm({ ...declared, parent: '0' })?.parent).toBeNull();
  });

  it('names a term by its slug, and makes a slug of its name', () => {
    expect(declaredTerm({ ...declared, name: '' })?.name).toBe('a');
    expect(declaredTerm({ ...declared, slug: '', name: 'Tom & Jerry' })?.slug).toBe('tom-jerry');
    expect(declaredTerm({ ...declared, slug: '', name: '' })).toBeNull();
  });

  it('is null for menus, which declaredMenu reads', () => {
    const menu = { ...declared, taxonomy: 'nav_menu', slug: 'main', name: 'Main menu' };
    expect(declaredTerm(menu)).toBeNull();
    expect(declaredMenu(menu)).toEqual({ slug: 'main', name: 'Main menu' });
    expect(declaredMenu(declared)).toBeNull();
  });
});

describe('taxonomyName', () => {
  it.each([
    ['category', 'category'],
    ['post_tag', 'tag'],
    ['tag', 'tag'],
    ['shop-brand', 'shop_brand'],
    ['2024-Genre', 'genre'],
    ['x'.repeat(80), 'x'.repeat(63)],
  ])('names %s', (source, name) => {
    expect(taxonomyName(source)).toBe(name);
  });

  it('gives names without Latin letters a legal name each', () => {
    const names = ['ジャンル', '色'].map(taxonomyName);
    expect(names.every(isSlug)).toBe(true);
    expect(new Set(names).size).toBe(2);
  });
});
