import { beforeAll, describe, expect, it } from '@jest/globals';
import { useSite, type Client, type FieldInput } from '@quire/testing';
import { exportOf, headOf, type SourceItem } from './export-builder.js';
import { allBylines, dataOf, entriesIn, execute } from './support.js';

const site = useSite();
let admin: Client;
const base: FieldInput[] = [
  { slug: 'title', type: 'string', required: true },
  { slug: 'content', type: 'portableText' },
  { slug: 'excerpt', type: 'text' },
];
let sources = 0;

/** Imports items into a new collection with these further fields, from a source of their own. */
async function importInto(slug: string, fields: FieldInput[], items: SourceItem[]) {
  await site.collection({ slug, fields: [...base, ...fields] });
  sources += 1;
  const head = headOf(`https://source${sources}.example`);
  const run = async (changed = items) =>
    dataOf(
      await execute(admin, exportOf(changed, head), { postTypeMappings: { post: { collection: slug } } }),
    );
  return { summary: await run(), run };
}
const read = async (path: string, client = admin) => (await client.get(`/content/${path}`)).data?.item;

beforeAll(async () => {
  admin = await site.as('admin');
});

describe('an item without the value of a required field', () => {
  const items: SourceItem[] = [
    { id: 1, meta: { rating: '5' } },
    {
      id: 2,
      title: 'Unrated',
      content: '<!-- wp:paragraph --><p>Kept</p><!-- /wp:paragraph -->',
      excerpt: 'Short',
      creator: 'ada',
      meta: { color: 'red' },
    },
    { id: 3, meta: { rating: 'many' } },
    { id: 4, meta: { rating: '3' } },
  ];
  let result: Awaited<ReturnType<typeof importInto>>;
  beforeAll(async () => {
    result = await importInto('rated', [{ slug: 'rating', type: 'integer', required: true }], items);
  });

  it('is a failure of the summary that was saved as a draft, and the others are imported', async () => {
    const { summary } = result;
    expect(summary).toMatchObject({
      success: false,
      imported: 2,
      failed: 2,
      failedAsDrafts: 2,
      byCollection: { rated: 2 },
      byType: { post: { items: 4, imported: 2, updated: 0, skipped: 0, failed: 2 } },
    });
    const unrated = await read('rated/item-2');
    expect(summary.errors[0]).toEqual({
      title: 'Unrated',
      error: expect.stringContaining('rating'),
      code: 'VALIDATION_ERROR',
      legacyId: '2',
      postType: 'post',
      collection: 'rated',
      entryId: unrated.id,
      savedAsDraft: true,
    });
    expect(summary.errors.map(({ legacyId }: { legacyId: string }) => legacyId)).toEqual(['2', '3']);
    const states = (await entriesIn(admin, 'rated')).map(({ slug, status }) => `${slug} ${status}`);
    expect(states.sort()).toEqual(['item-1 published', 'item-2 draft', 'item-3 draft', 'item-4 published']);
  });

  it('shows its source to an editor, and to no caller who sees no drafts', async () => {
    const { data, status, publishedAt } = await read('rated/item-2', await site.as('editor'));
    expect([status, publishedAt, data.title]).toEqual(['draft', null, 'Unrated']);
    expect(data._importError).toEqual({
      message: expect.stringContaining('rating'),
      code: 'VALIDATION_ERROR',
      legacyId: '2',
      postType: 'post',
      content: items[1]?.content,
      excerpt: 'Short',
      meta: { color: ['red'] },
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    });
    const subscriber = await site.as('subscriber');
    expect((await subscriber.get('/content/rated/item-2')).status).toBe(404);
    const list = await subscriber.get('/content/rated?limit=100');
    expect(list.text).not.toContain('_importError');
    expect(list.data.items.map(({ slug }: { slug: string }) => slug).sort()).toEqual(['item-1', 'item-4']);
  });

  it('has its byline', async () => {
    expect((await read('rated/item-2')).byline.slug).toBe('ada');
    expect((await allBylines(admin)).map(({ slug }) => slug)).toEqual(['ada']);
  });

  it('is tried again by the next import, which changes nothing else', async () => {
    const before = await entriesIn(admin, 'rated');
    const summary = await result.run();
    expect([summary.imported, summary.failed, summary.skipped]).toEqual([0, 2, 2]);
    const after = await entriesIn(admin, 'rated');
    expect(after.map(({ id, slug }) => [id, slug])).toEqual(before.map(({ id, slug }) => [id, slug]));
  });

  it('is repaired by an import of a source that has the value', async () => {
    const repaired = items.map((item) => (item.id === 3 ? { ...item, meta: { rating: '4' } } : item));
    const summary = await result.run(repaired);
    expect([summary.updated, summary.failed]).toEqual([1, 1]);
    const { status, data } = await read('rated/item-3');
    expect([status, data.rating, data._importError]).toEqual(['published', 4, undefined]);
  });

  it('loses its failure by a save with content, and not before', async () => {
    const path = '/content/rated/item-2';
    const failure = async () => (await admin.get(path)).data.item.data._importError;
    expect((await admin.put(path, { data: { title: 'Still unrated' } })).status).toBe(200);
    expect(await failure()).toMatchObject({ legacyId: '2' });
    const content = [{ _type: 'block', children: [{ _type: 'span', text: 'Kept' }] }];
    expect((await admin.put(path, { data: { content, rating: 1 } })).status).toBe(200);
    expect(await failure()).toBeUndefined();
    expect((await admin.post(`${path}/publish`)).status).toBe(200);
  });
});

describe('an item with a value that another entry has', () => {
  const items: SourceItem[] = [
    { id: 1, meta: { sku: 'A' } },
    { id: 2, meta: { sku: 'A' } },
    { id: 3, meta: { sku: 'B' } },
  ];

  it('is a draft with a failure when its field is required', async () => {
    const field = { slug: 'sku', type: 'string', unique: true, required: true } as const;
    const { summary } = await importInto('unique_required', [field], items);
    expect([summary.imported, summary.failed, summary.failedAsDrafts]).toEqual([2, 1, 1]);
    expect(summary.errors).toMatchObject([
      { legacyId: '2', savedAsDraft: true, entryId: expect.any(String) },
    ]);
    const { status, data } = await read('unique_required/item-2');
    expect([status, data.title, data._importError.meta]).toEqual(['draft', 'Item 2', { sku: ['A'] }]);
    expect((await read('unique_required/item-1')).data.sku).toBe('A');
    expect((await read('unique_required/item-3')).data.sku).toBe('B');
  });

  it('is imported without the value, with a warning, when its field is not required', async () => {
    const { summary } = await importInto(
      'unique_optional',
      [{ slug: 'sku', type: 'string', unique: true }],
      items,
    );
    expect([summary.success, summary.imported, summary.failed]).toEqual([true, 3, 0]);
    expect(summary.warnings).toMatchObject([
      { legacyId: '2', code: 'META_UNFIT', message: expect.stringContaining('sku') },
    ]);
    const { status, data } = await read('unique_optional/item-2');
    expect([status, data.sku ?? null, data._importError]).toEqual(['published', null, undefined]);
  });
});

describe('an item with values that do not fit optional fields', () => {
  const fields = ['amount', 'kind', 'short', 'website'];

  it('is imported without them, with a warning for each', async () => {
    const { summary } = await importInto(
      'optional',
      [
        { slug: 'amount', type: 'number' },
        { slug: 'website', type: 'url' },
        { slug: 'kind', type: 'select', validation: { options: ['a', 'b'] } },
        { slug: 'short', type: 'string', validation: { maxLength: 3 } },
      ],
      [{ id: 1, meta: { amount: '19,90 €', website: 'javascript:alert(1)', kind: 'c', short: 'long' } }],
    );
    expect([summary.success, summary.imported]).toEqual([true, 1]);
    const warned = summary.warnings.map(({ message }: { message: string }) =>
      fields.find((slug) => message.includes(slug)),
    );
    expect(warned.sort()).toEqual(fields);
    const { status, data } = await read('optional/item-1');
    const values = fields.map((slug) => data[slug] ?? null);
    expect([status, values]).toEqual(['published', [null, null, null, null]]);
  });
});
