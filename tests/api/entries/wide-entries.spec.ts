import { beforeAll, describe, expect, it } from '@jest/globals';
import { issuePaths, statusAndCode, useSite, type Client } from '@quire/testing';

const site = useSite();
let admin: Client;

beforeAll(async () => {
  admin = await site.as('admin');
});

/** docs/content.md: maximum number of fields with a column in a collection. */
const maxFields = 300;

const names = (count: number) => Array.from({ length: count }, (_, index) => `f${index}`);
const valuesOf = (count: number, value: string) =>
  Object.fromEntries(names(count).map((name) => [name, value]));

/** Creates an orphaned table with so many text columns beside the system columns. */
async function createTable(slug: string, count: number): Promise<void> {
  await site.collection({ slug, fields: [] });
  const columns = names(count).map((name) => `ADD COLUMN ${name} text`);
  await site.sql(`ALTER TABLE content_${slug} ${columns.join(', ')}`);
  await site.sql('DELETE FROM collections WHERE slug = $1', [slug]);
}

const register = (slug: string) => admin.post(`/schema/orphans/${slug}`);
const addField = (slug: string, field: object) =>
  admin.post(`/schema/collections/${slug}/fields`, { slug: 'more', label: 'More', type: 'string', ...field });

describe('a collection with the maximum number of fields', () => {
  beforeAll(async () => {
    await createTable('full', maxFields - 2);
    expect((await register('full')).status).toBe(201);
    const fields = (await admin.get('/schema/collections/full/fields')).data.items;
    const missing = names(maxFields).slice(fields.length);
    for (const slug of missing) expect((await addField('full', { slug })).status).toBe(201);
  });

  it('returns 400 for another field, but accepts views of a relation', async () => {
    const response = await addField('full', {});
    expect([...statusAndCode(response), issuePaths(response)]).toEqual([400, 'VALIDATION_ERROR', ['slug']]);
    const view = { slug: 'links', type: 'reference', validation: { targetCollection: 'full' } };
    expect((await addField('full', view)).status).toBe(201);
  });

  it.each([23, 24, 40, 3000])(
    'accepts entries with texts of %d characters in every field',
    async (length) => {
      const data = valuesOf(maxFields, 'x'.repeat(length));
      const created = await admin.post('/content/full', { data, slug: `filled-${length}` });
      expect(statusAndCode(created)).toEqual([201, '']);
      const published = await admin.post(`/content/full/${created.data.item.id}/publish`);
      expect(statusAndCode(published)).toEqual([200, '']);
    },
  );
});

it('POST /schema/orphans/{slug} returns 400 REGISTER_FAILED for a table with too many columns', async () => {
  await createTable('wide', maxFields + 1);
  const response = await register('wide');
  expect(statusAndCode(response)).toEqual([400, 'REGISTER_FAILED']);
  expect(response.error.message).toContain(`${maxFields} fields`);
});

describe('an entry that exceeds the size of a row', () => {
  const count = 600;
  const data = valuesOf(count, 'a text of some forty characters in a row');

  /** A collection from before the limit was introduced. */
  beforeAll(async () => {
    await site.collection({ slug: 'old', fields: [{ slug: 'f0', type: 'string' }] });
    const more = names(count).slice(1);
    const columns = more.map((name) => `ADD COLUMN ${name} text`);
    await site.sql(`ALTER TABLE content_old ${columns.join(', ')}`);
    await site.sql(
      `INSERT INTO fields
       SELECT (jsonb_populate_record(f, jsonb_build_object('id', 'old_' || name, 'slug', name))).*
       FROM fields f JOIN collections c ON c.id = f.collection_id AND c.slug = 'old', unnest($1::text[]) AS name`,
      [more],
    );
    expect((await admin.put('/schema/collections/old', { label: 'Old' })).status).toBe(200);
  });

  it('returns 400 on create and stores nothing', async () => {
    const response = await admin.post('/content/old', { data, slug: 'new' });
    expect(statusAndCode(response)).toEqual([400, 'VALIDATION_ERROR']);
    expect(response.error.message).toContain('too many values');
    expect((await admin.get('/content/old')).data.items).toEqual([]);
  });

  it('returns 400 on publishing a draft and keeps the live version', async () => {
    const { item } = (await admin.post('/content/old', { data: { f0: 'live' }, slug: 'staged' })).data;
    const path = `/content/old/${item.id}`;
    await admin.post(`${path}/publish`);
    expect((await admin.put(path, { data })).status).toBe(200);
    const before = await site.sql('SELECT * FROM content_old WHERE id = $1', [item.id]);
    expect(statusAndCode(await admin.post(`${path}/publish`))).toEqual([400, 'VALIDATION_ERROR']);
    expect(await site.sql('SELECT * FROM content_old WHERE id = $1', [item.id])).toEqual(before);
    expect((await admin.put(path, { data: valuesOf(count, '') })).status).toBe(200);
    expect((await admin.post(`${path}/publish`)).status).toBe(200);
  });
});
