import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openSearchableSite, type SearchableSite } from './searchable-site.js';

let on: SearchableSite;
const text = (words: string) => [
  { _type: 'block', style: 'normal', children: [{ _type: 'span', text: words }] },
];
beforeAll(async () => {
  on = await openSearchableSite({ isEnabled: false });
  await on.site.collection({
    slug: 'recipes',
    titleField: 'dish',
    fields: [
      { slug: 'dish', type: 'string' },
      { slug: 'method', type: 'portableText', searchable: true },
      {
        slug: 'ingredients',
        type: 'repeater',
        searchable: true,
        validation: {
          subFields: [
            { slug: 'name', label: 'Name', type: 'string' },
            { slug: 'grams', label: 'Grams', type: 'integer' },
          ],
        },
      },
      { slug: 'course', type: 'select', searchable: true, validation: { options: ['Starter', 'Dessert'] } },
      { slug: 'diets', type: 'multiSelect', searchable: true, validation: { options: ['Vegan', 'Halal'] } },
      { slug: 'source', type: 'url', searchable: true },
    ],
  });
  const data = {
    dish: 'Baklava',
    method: [
      ...text('Layer the filo'),
      { _type: 'image', asset: { url: '/hidden.png' }, alt: 'A golden tray' },
    ],
    ingredients: [{ name: 'Pistachios', grams: 300 }],
    course: 'Dessert',
    diets: ['Vegan'],
    source: 'https://kitchen.example/recipe',
  };
  await on.publish(data, { slug: 'baklava' }, 'recipes');
  await on.enable('recipes');
});
afterAll(() => on.site.close());

describe('GET /search by field type', () => {
  it.each([
    ['rich text', 'filo'],
    ['the alternative text of a picture in it', 'golden'],
    ['rows of a repeater', 'pistachio'],
    ['a choice', 'dessert'],
    ['one of several choices', 'vegan'],
    ['an address', 'kitchen'],
  ])('finds %s', async (_, word) => {
    expect(await on.titles(word)).toEqual(['Baklava']);
  });

  it.each([
    ['a title field that is not searchable', 'baklava'],
    ['numbers', '300'],
    ['choices that were not made', 'halal'],
    ['addresses of pictures', 'hidden'],
    ['types of blocks', 'span'],
  ])('does not find %s', async (_, word) => {
    expect(await on.titles(word)).toEqual([]);
  });
});

describe('title field that is not searchable', () => {
  it('is suggested and returned as title', async () => {
    expect(await on.suggestions('bak')).toEqual(['Baklava']);
    expect(await on.titles('filo')).toEqual(['Baklava']);
  });
});

describe('text longer than the indexed length', () => {
  it('does not shorten other fields', async () => {
    const fields = ['title', 'body', 'tags'].map(
      (slug) => ({ slug, type: 'text', searchable: true }) as const,
    );
    await on.site.collection({ slug: 'essays', fields });
    const body = `openingword ${'filler '.repeat(17_300)} closingword`;
    await on.publish({ title: 'Long', body, tags: 'a starvedword' }, {}, 'essays');
    for (const tokenize of ['unicode61', 'trigram']) {
      await on.enable('essays', { tokenize });
      for (const text of ['long', 'openingword', 'starvedword', '"a starvedword"'])
        expect([tokenize, text, await on.titles(text)]).toEqual([tokenize, text, ['Long']]);
      expect(await on.titles('closingword')).toEqual([]);
    }
  });
});

describe('text without spaces', () => {
  it('is found by substrings of three characters with the tokenizer trigram', async () => {
    await on.publish({ title: '東京都の天気予報' }, { slug: 'weather' });
    await on.enable('posts', { tokenize: 'trigram' });
    expect([await on.titles('天気予'), await on.titles('天気')]).toEqual([['東京都の天気予報'], []]);
  });

  it('is not found by shorter texts, even if they normalise to more characters', async () => {
    await on.publish({ title: '㍿は株式会社のこと ﬁx' }, { slug: 'company' });
    await on.waitUntilFound('株式会社', ['㍿は株式会社のこと ﬁx']);
    expect([await on.titles('㍿'), await on.titles('ﬁx'), await on.titles('"㍿"')]).toEqual([[], [], []]);
  });
});
