import { describe, expect, test } from '@jest/globals';
import { generateSlug, givenSlugProblem, nextSlug, slugSource } from './content-slug.js';

const graphemeCount = (text: string): number => [...new Intl.Segmenter().segment(text)].length;

describe('generateSlug', () => {
  test.each([
    ['Hello World', 'hello-world'],
    ['  Hello \t\n World  ', 'hello-world'],
    ['snake_case_title', 'snake-case-title'],
    ['a -- b', 'a-b'],
    ['-a-', 'a'],
    ['Über Äpfel', 'über-äpfel'],
    ['e\u0301te\u0301', 'été'],
    ['ﬁne Ⅳ ²', 'fine-iv-2'],
    ['ＡＢＣ１２３', 'abc123'],
    ['日本語のタイトル', '日本語のタイトル'],
    ['हिन्दी शीर्षक', 'हिन्दी-शीर्षक'],
    ['C++ & C#!', 'c-c'],
    ['I ❤️ tests', 'i-tests'],
    ['a\u200db', 'ab'],
    ['İstanbul', 'i̇stanbul'],
  ])('converts %j to %s', (text, slug) => {
    expect(generateSlug(text)).toBe(slug.normalize('NFKC'));
  });

  test.each(['', '   ', '---', '!!!', '❤️', '\u0301'])(
    'from %j, of which nothing is left, as untitled with a short hash',
    (text) => {
      expect(generateSlug(text)).toMatch(/^untitled-[0-9a-f]{8}$/);
    },
  );

  test('generates the hash from the text only', () => {
    expect(generateSlug('!!!')).toBe(generateSlug('!!!'));
    expect(generateSlug('!!!')).not.toBe(generateSlug('???'));
  });

  test('returns at most 80 graphemes, not 80 code units', () => {
    expect(graphemeCount(generateSlug('å'.repeat(100)))).toBe(80);
    expect(generateSlug('नि'.repeat(100))).toBe('नि'.repeat(80));
  });

  test('returns no dash at the end when it truncates after a word', () => {
    expect(generateSlug(`${'a'.repeat(79)} b`)).toBe('a'.repeat(79));
  });

  test('returns a valid submitted slug for any marks', () => {
    expect(generateSlug(`a${'\u0301'.repeat(1000)}`).length).toBeLessThanOrEqual(240);
    expect(givenSlugProblem(generateSlug('क्षि'.repeat(100)))).toBeNull();
  });

  test('returns its own result unchanged', () => {
    const slug = generateSlug('Ünïcode Tïtle İ 日本');
    expect(generateSlug(slug)).toBe(slug);
  });
});

describe('slugSource', () => {
  test.each([
    [{ title: 'T', name: 'N' }, 'T'],
    [{ title: '', name: 'N' }, 'N'],
    [{ title: 5, name: 'N' }, 'N'],
    [{ title: null }, null],
    [{}, null],
    [Object.create({ title: 'inherited' }) as Record<string, unknown>, null],
  ])('of %j is %j', (data, source) => {
    expect(slugSource(data)).toBe(source);
  });
});

describe('nextSlug', () => {
  test.each([
    ['post', [], 'post'],
    ['post', ['post-3', 'poster'], 'post'],
    ['post', ['post'], 'post-1'],
    ['post', ['post', 'post-1'], 'post-2'],
    ['post', ['post', 'post-7', 'post-2'], 'post-8'],
    ['post', ['post', 'post-9', 'post-10'], 'post-11'],
    ['post', ['post', 'post-a', 'post-1-2', 'post-', 'other-9'], 'post-1'],
    ['post-1', ['post', 'post-1'], 'post-1-1'],
    ['post', ['post', `post-${'9'.repeat(15)}`, `post-1${'0'.repeat(15)}`], `post-1${'0'.repeat(14)}1`],
    ['post', ['post', `post-${'9'.repeat(30)}`], 'post-1'],
  ])('of %s beside %j is %s', (base, taken, expected) => {
    expect(nextSlug(base, taken)).toBe(expected);
  });
});

describe('givenSlugProblem', () => {
  test.each(['a', 'Über Uns', 'a.b', '...', '.a', 'x'.repeat(255)])('accepts %s', (slug) => {
    expect(givenSlugProblem(slug)).toBeNull();
  });

  test.each([
    ['', 'must not be blank'],
    ['  ', 'must not be blank'],
    ['a/b', "must not contain '/'"],
    ['.', "must not be '.' or '..'"],
    ['..', "must not be '.' or '..'"],
    ['x'.repeat(256), 'must have at most 255 characters'],
    ['a\u0000', 'must not contain U+0000 or unpaired surrogates'],
    ['a\ud800', 'must not contain U+0000 or unpaired surrogates'],
  ])('of %j is %s', (slug, problem) => {
    expect(givenSlugProblem(slug)).toBe(problem);
  });
});
