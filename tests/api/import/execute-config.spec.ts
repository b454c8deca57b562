import { beforeAll, describe, expect, it } from '@jest/globals';
import { issuePaths, statusAndCode, useSite, type Client } from '@quire/testing';
import { exportOf } from './export-builder.js';
import { dataOf, entriesIn, execute, importsPath, prepareFor, type Entry } from './support.js';

const site = useSite();
let admin: Client;
const file = exportOf([
  { id: 1, creator: 'ada', comments: [{ id: 7 }, { id: 8, parent: 7 }] },
  { id: 2, creator: 'ada' },
  { id: 3, type: 'book' },
  { id: 4, type: 'wp_block', title: 'Shared' },
]);
const mapping = { post: { collection: 'posts' } };

beforeAll(async () => {
  admin = await site.as('admin');
  await prepareFor(admin, file);
});

const nothing = '01ARZ3NDEKTSV4RRFFQ69G5FAV';

describe('POST /import/legacy/execute with a wrong configuration', () => {
  it.each<[string, object | string | undefined, string[]]>([
    ['none', undefined, ['config']],
    ['a text that is not JSON', '{"postTypeMappings":', ['config']],
    ['an array', '[]', ['config']],
    ['no mappings', {}, ['config.postTypeMappings']],
    [
      'a mapping without a collection',
      { postTypeMappings: { post: {} } },
      ['config.postTypeMappings.post.collection'],
    ],
    [
      'unknown collections',
      { postTypeMappings: { post: { collection: 'nope' }, book: { collection: 'neither' } } },
      ['config.postTypeMappings.post.collection', 'config.postTypeMappings.book.collection'],
    ],
    [
      'an unknown user',
      { postTypeMappings: mapping, authorMappings: { ada: nothing, grace: null } },
      ['config.authorMappings.ada'],
    ],
    ['a locale that is none', { postTypeMappings: mapping, locale: 'no locale' }, ['config.locale']],
    ['a wrong type', { postTypeMappings: mapping, skipExisting: 'yes' }, ['config.skipExisting']],
    [
      'several mistakes',
      { postTypeMappings: { post: { collection: 'nope' } }, authorMappings: { ada: nothing } },
      ['config.postTypeMappings.post.collection', 'config.authorMappings.ada'],
    ],
  ])('%s: returns 400 naming the field, and writes nothing', async (_, config, paths) => {
    const response = await execute(admin, file, config);
    expect(statusAndCode(response)).toEqual([400, 'VALIDATION_ERROR']);
    expect(issuePaths(response)).toEqual(paths);
    expect(await entriesIn(admin, 'posts')).toEqual([]);
    expect((await admin.get(importsPath)).data.items).toEqual([]);
    for (const table of ['import_items', 'import_records', 'bylines'])
      expect([table, await site.sql(`SELECT 1 FROM ${table}`)]).toEqual([table, []]);
  });

  it('an unknown import to resume: returns 404, and writes nothing', async () => {
    const response = await execute(admin, file, { postTypeMappings: mapping, importId: nothing });
    expect(statusAndCode(response)).toEqual([404, 'NOT_FOUND']);
    expect((await admin.get(importsPath)).data.items).toEqual([]);
  });
});

describe('POST /import/legacy/execute with mapped and other types', () => {
  it('imports the mapped types, and skips the others and disabled ones', async () => {
    const summary = dataOf(
      await execute(admin, file, {
        postTypeMappings: { post: { collection: 'book' }, book: { collection: 'book', enabled: false } },
      }),
    );
    expect(summary).toMatchObject({
      success: true,
      imported: 2,
      skipped: 1,
      byCollection: { book: 2 },
      byType: {
        post: { items: 2, imported: 2, updated: 0, skipped: 0, failed: 0 },
        book: { items: 1, imported: 0, updated: 0, skipped: 1, failed: 0 },
      },
      sections: { created: 1, skipped: 0 },
      comments: { imported: 2, skipped: 0 },
    });
    const titlesIn = async (slug: string) =>
      (await entriesIn(admin, slug)).map(({ data }) => data.title as string);
    expect([(await titlesIn('book')).sort(), await titlesIn('posts')]).toEqual([['Item 1', 'Item 2'], []]);
  });

  it('imports a skipped type later', async () => {
    const summary = dataOf(
      await execute(admin, file, { postTypeMappings: { book: { collection: 'posts' } } }),
    );
    expect(summary).toMatchObject({ imported: 1, skipped: 2, byCollection: { posts: 1 } });
  });

  it('imports no entries without mappings', async () => {
    const before = await entriesIn(admin, 'posts');
    const summary = dataOf(await execute(admin, file, { postTypeMappings: {} }));
    expect(summary).toMatchObject({ success: true, imported: 0, skipped: 3, byCollection: {} });
    expect(await entriesIn(admin, 'posts')).toEqual(before);
  });
});

describe('POST /import/legacy/execute with a locale', () => {
  it('creates entries, terms and bylines of the locale', async () => {
    const german = exportOf([{ id: 101, creator: 'uwe', terms: [['category', 'neues', 'Neues']] }]);
    dataOf(await execute(admin, german, { postTypeMappings: mapping, locale: 'de' }));
    const found = (await entriesIn(admin, 'posts')).find(({ slug }) => slug === 'item-101') as Entry;
    expect(found.locale).toBe('de');
    const { terms } = (await admin.get('/taxonomies/category/terms?locale=de')).data;
    expect(terms.map(({ slug, locale }: Record<string, string>) => [slug, locale])).toEqual([
      ['neues', 'de'],
    ]);
    const bylines = (await admin.get('/admin/bylines?locale=de')).data.items;
    expect(bylines.map(({ slug, locale }: Record<string, string>) => [slug, locale])).toEqual([
      ['uwe', 'de'],
    ]);
  });
});
