import { describe, expect, it } from '@jest/globals';
import { givenSlugProblem } from '@quire/content-model';
import { decodeSlug, sourceSlug, termSlug } from './slug.js';

const slugOf = (slug: string, title = '', type = 'post', sourceId: number | null = 12) =>
  sourceSlug({ slug, title, type, sourceId });

describe('sourceSlug', () => {
  it.each([
    ['a-slug', 'a-slug'],
    ['under_score.html', 'under_score.html'],
    ['%e6%97%a5%e6%9c%ac-2', '日本-2'],
    ['%E6%97%A5', '日'],
    ['e%cc%81', 'é'],
    ['gone__trashed', 'gone'],
    ['gone__trashed-2', 'gone'],
    ['caf%e9-au-lait', 'caf-au-lait'],
    ['a%2fb%3fc', 'abc'],
    ['a b', 'a-b'],
  ])('decodes %s', (slug, expected) => {
    expect(slugOf(slug)).toBe(expected);
  });

  it.each(['%e6%97%a5%e6%9c', '%e6%97%a5%e6%9', '%e6%97%a5%e6', '%e6%97%a5%e', '%e6%97%a5%'])(
    'drops the cut last character of %s',
    (slug) => {
      expect(slugOf(slug)).toBe('日');
    },
  );

  it('falls back to the title, then to type and id', () => {
    expect(slugOf('', 'Tom &amp; <b>Jerry</b>')).toBe('tom-jerry');
    expect(slugOf('%%', 'Title')).toBe('title');
    expect(slugOf('', '!!', 'acf-field_group')).toBe('acf-field-group-12');
    expect(slugOf('__trashed', '')).toBe('post-12');
    expect(slugOf('', '', 'post', null)).toBeNull();
  });

  it('is always a slug that the product accepts, with room for a suffix', () => {
    for (const slug of [
      'a'.repeat(400),
      '..',
      '/',
      '%2f',
      '%00',
      'x%00y',
      '%f0%9f%98%80',
      '日'.repeat(250),
      '\u200d',
    ]) {
      const result = slugOf(slug, 'Title') ?? '';
      expect(givenSlugProblem(result)).toBeNull();
      expect(result.length).toBeLessThanOrEqual(240);
    }
  });
});

describe('termSlug', () => {
  it('decodes the nicename, or makes a slug of the name', () => {
    expect(termSlug('%d8%a3%d8%ae', 'x')).toBe('أخ');
    expect(termSlug(null, 'Named &amp; only')).toBe('named-only');
    expect(termSlug('', '')).toBeNull();
  });
});

describe('decodeSlug', () => {
  it('leaves text without escapes as it is', () => {
    expect(decodeSlug('Déjà vu')).toBe('Déjà vu');
  });
});
