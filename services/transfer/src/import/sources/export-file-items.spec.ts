import { openAsBlob, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { isItemFault, type ContentOptions, type Item, type ItemFault } from '@quire/import-sources';
import { createImportSources } from './create-import-sources.js';

const pathOf = (name: string) =>
  fileURLToPath(new URL(`../../../../../tests/fixtures/wxr/${name}`, import.meta.url));

/** The items of a file through the source `wxr`, as an import reads them. */
async function read(file: Blob, options: ContentOptions): Promise<(Item | ItemFault)[]> {
  const sources = createImportSources({ application: {}, configured: [] });
  const entries = [];
  for await (const entry of sources.fetchItems(sources.openSource('wxr'), { type: 'file', file }, options))
    entries.push(entry);
  return entries;
}
const countBy = (values: readonly string[]) =>
  Object.fromEntries(
    [...new Set(values)].sort().map((key) => [key, values.filter((value) => value === key).length]),
  );

const source = createImportSources({ application: {}, configured: [] }).openSource('wxr');
const context = {
  fetch: () => Promise.reject(new Error('not used')),
  signal: new AbortController().signal,
  toRichText: () => [],
};

/** It has an analysis of its own. */
const unused = { analyzeItems: () => Promise.reject(new Error('unused')) };

describe('the source wxr', () => {
  it('needs a file, and detects no sites', () => {
    expect([source.requiresFile, source.canProbe, source.probe]).toEqual([true, false, undefined]);
    const input = { type: 'url', url: 'https://blog.example' } as const;
    expect(() => source.fetchContent(input, { postTypes: ['post'] }, context)).toThrow(
      'An export file is required',
    );
  });

  it('analyses a file against the collections of the site', async () => {
    const file = await openAsBlob(pathOf('wxr11-small.xml'));
    const posts = [{ slug: 'title', type: 'number' }];
    const getExistingCollections = () => Promise.resolve(new Map([['posts', posts]]));
    const analysis = await source.analyze(
      { type: 'file', file },
      { ...context, ...unused, getExistingCollections },
    );
    expect(analysis).toMatchObject({ sourceId: 'wxr', categories: 30, tags: 3 });
    expect(analysis.postTypes.map(({ name, count, status }) => [name, count, status])).toEqual([
      ['post', 6, 'incompatible'],
      ['page', 5, 'new_collection'],
    ]);
  });

  it('rejects the analysis of a file that is no export', async () => {
    const getExistingCollections = () => Promise.resolve(new Map());
    const input = { type: 'file', file: new Blob(['<html></html>']) } as const;
    await expect(
      source.analyze(input, { ...context, ...unused, getExistingCollections }),
    ).rejects.toMatchObject({
      name: 'ImportSourceError',
      message: expect.stringContaining('The file is no complete export'),
    });
  });
});

describe('items of an export file', () => {
  it('are all entries of the requested types, in file order', async () => {
    const file = await openAsBlob(pathOf('wxr11-small.xml'));
    const options = { postTypes: ['post', 'page'], includeDrafts: true };
    const items = (await read(file, options)) as Item[];
    expect(items.filter(isItemFault)).toEqual([]);
    expect(countBy(items.map(({ postType }) => postType))).toEqual({ page: 5, post: 6 });
    expect(countBy(items.map(({ status }) => status))).toEqual({ draft: 1, private: 1, publish: 9 });
    expect(await read(file, { postTypes: ['page'], limit: 2 })).toEqual(
      items.filter(({ postType, status }) => postType === 'page' && status === 'publish').slice(0, 2),
    );
  });

  it.each([
    ['ja-classic.xml.gz', ['post', 'page'], 60],
    ['blocks-wp64.xml.gz', ['post', 'page'], 62],
    ['products.xml.gz', ['product', 'product_variation'], 25],
  ])('pass the validation: %s', async (name, postTypes, count) => {
    const items = await read(new Blob([gunzipSync(readFileSync(pathOf(name)))]), {
      postTypes,
      includeDrafts: true,
    });
    expect(items.filter(isItemFault)).toEqual([]);
    expect(items).toHaveLength(count);
  });

  it('have terms, dates in UTC, rich text, meta values, parents and images that follow them in the file', async () => {
    const file = await openAsBlob(pathOf('edge-cases.xml'));
    const items = (await read(file, { postTypes: ['post', 'page', 'book'], includeDrafts: true })) as Item[];
    const titled = (start: string) => items.find(({ title }) => title.startsWith(start));
    expect(titled('E35')).toMatchObject({
      tags: expect.arrayContaining(['alpha']),
      customTaxonomies: { genre: ['poem'], 'shop-brand': ['acme'] },
    });
    expect(titled('E44')?.date).toBe('2024-06-30T22:30:00.000Z');
    expect(titled('E07')?.featuredImage).toMatch(/^https?:\/\/.+\.jpg$/);
    expect(titled('E05')?.content.filter(({ listItem }) => listItem === 'bullet')).not.toEqual([]);
    expect(titled('E38')?.meta).toMatchObject({ repeat: ['first', 'second'], price_text: '19,90 €' });
    expect(titled('E25')?.status).toBe('private');
    expect([titled('E22'), titled('E23')]).toEqual([undefined, undefined]);
  });

  it('reject a file that is no export', async () => {
    await expect(read(new Blob(['<html></html>']), { postTypes: ['post'] })).rejects.toMatchObject({
      name: 'ImportSourceError',
      message: expect.stringContaining('The file is no complete export'),
    });
  });
});
