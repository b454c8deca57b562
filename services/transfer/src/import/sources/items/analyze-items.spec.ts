import { describe, expect, it } from '@jest/globals';
import { analyzeItems } from './analyze-items.js';

const source = { sourceId: 'feed', site: { title: 'Feed', url: 'https://feed.example' } };
const item = (sourceId: string, more: object = {}) => ({
  sourceId,
  postType: 'article',
  status: 'publish',
  slug: '',
  title: `Item ${sourceId}`,
  content: [],
  date: '2024-06-01T10:00:00Z',
  ...more,
});

type Collections = Parameters<typeof analyzeItems>[2];

async function* each(items: readonly object[]) {
  yield* items;
}
const analyze = (items: readonly object[], collections: Collections = new Map()) =>
  analyzeItems(each(items), source, collections);

describe('analyzeItems', () => {
  it('counts types, terms and authors, the most frequent type first', async () => {
    const analysis = await analyze([
      item('1', { categories: ['News'], author: 'ann' }),
      item('2', { postType: 'note', tags: ['a', 'b'], customTaxonomies: { genre: ['Jazz', 'Pop'] } }),
      item('3', { postType: 'note', categories: ['news'], tags: ['b'], author: 'ann' }),
    ]);
    expect(analysis).toMatchObject({
      ...source,
      postTypes: [
        { name: 'note', count: 2, suggestedCollection: 'note', status: 'new_collection' },
        { name: 'article', count: 1, suggestedCollection: 'article' },
      ],
      categories: 1,
      tags: 2,
      customTaxonomies: [{ slug: 'genre', termCount: 2, sampleTerms: ['Jazz', 'Pop'] }],
      authors: [{ login: 'ann', displayName: 'ann', postCount: 2 }],
      warnings: [],
    });
  });

  it('suggests a field for each value that items have, with a type that fits all', async () => {
    const { postTypes, customFields } = await analyze([
      item('1', { featuredImage: 'https://feed.example/a.jpg', meta: { price: 1.5, mixed: 'a', _own: 'x' } }),
      item('2', { meta: { price: null, mixed: 1, isOpen: true, empty: '' } }),
      item('3', { postType: 'note' }),
    ]);
    const fields = postTypes.map(({ name, requiredFields }) => [
      name,
      requiredFields.map(({ slug, type }) => `${slug} ${type}`),
    ]);
    const base = ['title string', 'content portableText', 'excerpt text'];
    expect(fields).toEqual([
      ['article', [...base, 'featured_image image', 'price number', 'mixed json', 'isopen boolean']],
      ['note', base],
    ]);
    expect(customFields).toContainEqual({
      key: 'price',
      count: 2,
      samples: ['1.5'],
      suggestedField: 'price',
      suggestedType: 'number',
      isInternal: false,
    });
  });

  it('compares a type with the collection of its name', async () => {
    const collections = new Map([['article', [{ slug: 'title', type: 'number' }]]]);
    const { postTypes } = await analyze([item('1')], collections);
    expect(postTypes).toMatchObject([
      { status: 'incompatible', schemaStatus: { exists: true, canImport: false } },
    ]);
  });

  it('reports an invalid item as a warning', async () => {
    const { postTypes, warnings } = await analyze([item('1', { date: 'soon' }), { sourceId: 7 }]);
    expect(postTypes).toEqual([]);
    expect(warnings).toMatchObject([
      { code: 'ITEM_INVALID', message: 'Item 1: date: must be an ISO 8601 date and time' },
      { code: 'ITEM_INVALID', message: expect.stringMatching(/^7: /) },
    ]);
  });
});
