import { beforeAll, describe, expect, it } from '@jest/globals';
import { useSearchableSite } from './support.js';

const searchSite = useSearchableSite({ isEnabled: false });
const text = (words: string) => [
  { _type: 'block', style: 'normal', children: [{ _type: 'span', text: words }] },
];
beforeAll(async () => {
  await searchSite.site.collection({
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
  await searchSite.publish(data, { slug: 'baklava' }, 'recipes');
  await searchSite.enable('recipes');
});

describe('GET /search by field type', () => {
  it.each([
    ['rich text', 'filo'],
    ['the alternative text of a picture in it', 'golden'],
    ['rows of a repeater', 'pistachio'],
    ['a choice', 'dessert'],
    ['one of several choices', 'vegan'],
    ['an address', 'kitchen'],
  ])('finds %s', async (_, word) => {
    expect(await searchSite.titles(word)).toEqual(['Baklava']);
  });

  it.each([
    ['a title field that is not searchable', 'baklava'],
    ['numbers', '300'],
    ['choices that were not made', 'halal'],
    ['addresses of pictures', 'hidden'],
    ['types of blocks', 'span'],
  ])('does not find %s', async (_, word) => {
    expect(await searchSite.titles(word)).toEqual([]);
  });
});

describe('title field that is not searchable', () => {
  it('is suggested and returned as title', async () => {
    expect(await searchSite.suggestions('bak')).toEqual(['Baklava']);
    expect(await searchSite.titles('filo')).toEqual(['Baklava']);
  });
});

describe('text longer than the indexed length', () => {
  it('does not shorten other fields', async () => {
    const fields = ['title', 'body', 'tags'].map(
      (slug) => ({ slug, type: 'text', searchable: true }) as const,
    );
    await searchSite.site.collection({ slug: 'essays', fields });
    const body = `openingword ${'filler '.repeat(17_300)} closingword`;
    await searchSite.publish({ title: 'Long', body, tags: 'a starvedword' }, {}, 'essays');
    for (const tokenize of ['unicode61', 'trigram']) {
      await searchSite.enable('essays', { tokenize });
      for (const text of ['long', 'openingword', 'starvedword', '"a starvedword"'])
        expect([tokenize, text, await searchSite.titles(text)]).toEqual([tokenize, text, ['Long']]);
      expect(await searchSite.titles('closingword')).toEqual([]);
    }
  });
});

describe('text without spaces', () => {
  it('is found by substrings of three characters with the tokenizer trigram', async () => {
    await searchSite.publish({ title: '東京都の天気予報' }, { slug: 'weather' });
    await searchSite.enable('posts', { tokenize: 'trigram' });
    expect([await searchSite.titles('天気予'), await searchSite.titles('天気')]).toEqual([
      ['東京都の天気予報'],
      [],
    ]);
  });

  it('is not found by shorter texts, even if they normalise to more characters', async () => {
    await searchSite.publish({ title: '㍿は株式会社のこと ﬁx' }, { slug: 'company' });
    await searchSite.waitUntilFound('株式会社', ['㍿は株式会社のこと ﬁx']);
    expect([
      await searchSite.titles('㍿'),
      await searchSite.titles('ﬁx'),
      await searchSite.titles('"㍿"'),
    ]).toEqual([[], [], []]);
  });
});
