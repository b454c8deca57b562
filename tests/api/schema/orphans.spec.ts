import { beforeAll, describe, expect, it } from '@jest/globals';
import { createSiteTable, statusAndCode, useSite, type Client } from '@quire/testing';

const site = useSite();
let admin: Client;

beforeAll(async () => {
  admin = await site.as('admin');
});

const systemColumns = {
  id: 'text',
  slug: 'text',
  status: 'text',
  author_id: 'text',
  primary_byline_id: 'text',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
  published_at: 'timestamptz',
  scheduled_at: 'timestamptz',
  deleted_at: 'timestamptz',
  version: 'integer',
  live_revision_id: 'text',
  draft_revision_id: 'text',
  _locale: 'text',
  _translation_group: 'text',
  _seo: 'json',
};

/** Creates a table as an import could: with the system columns, without keys, defaults and indexes. */
async function createTable(
  slug: string,
  columns: Record<string, string | undefined> = {},
  key = '',
): Promise<void> {
  const declared = Object.entries({ ...systemColumns, ...columns })
    .filter(([, type]) => type !== undefined)
    .map(([name, type]) => `"${name}" ${type}`);
  await createSiteTable(site, `content_${slug}`, [...declared, ...(key ? [key] : [])].join(', '));
}

async function addRow(slug: string, values: Record<string, unknown>): Promise<void> {
  const row = { status: 'draft', created_at: 'now', updated_at: 'now', version: 1, _locale: 'en', ...values };
  const params = Object.keys(row).map((_name, index) => `$${index + 1}`);
  await site.sql(
    `INSERT INTO content_${slug} (${Object.keys(row).join(', ')}) VALUES (${params.join(', ')})`,
    Object.values(row),
  );
}

const register = (slug: string, body?: object) => admin.post(`/schema/orphans/${slug}`, body);
const registrationError = async (slug: string) => {
  const response = await register(slug);
  expect(statusAndCode(response)).toEqual([400, 'REGISTER_FAILED']);
  expect(statusAndCode(await admin.get(`/schema/collections/${slug}`))).toEqual([404, 'NOT_FOUND']);
  return response.error.message;
};

describe('GET /schema/orphans', () => {
  it('returns content tables without a collection, with their number of rows', async () => {
    await site.collection();
    expect((await admin.get('/schema/orphans')).data).toEqual({ items: [] });
    await createTable('old_news');
    // Owned by another role than that of the site.
    await site.sql('CREATE TABLE content_foreign (id text PRIMARY KEY)');
    await addRow('old_news', { id: '1', _translation_group: '1' });
    expect((await admin.get('/schema/orphans')).data).toEqual({
      items: [{ slug: 'old_news', tableName: 'content_old_news', rowCount: 1 }],
    });
  });
});

describe('POST /schema/orphans/{slug}', () => {
  it('creates a collection with the source discovered, without a body', async () => {
    const response = await register('old_news');
    expect(response.status).toBe(201);
    expect(response.data.item).toMatchObject({ slug: 'old_news', label: 'Old_news', source: 'discovered' });
    expect((await admin.get('/schema/orphans')).data.items).toEqual([]);
    expect((await admin.get('/content/old_news')).data.items).toHaveLength(1);
  });
  it('accepts label, labelSingular and description', async () => {
    await createTable('named');
    const labels = { label: 'Named', labelSingular: 'A named one', description: 'Found' };
    expect((await register('named', labels)).data.item).toMatchObject(labels);
  });
  it('creates fields from columns and entries from rows', async () => {
    const types = {
      title: 'text',
      short: 'varchar(20)',
      price: 'double precision',
      ratio: 'real',
      stock: 'bigint',
      places: 'integer',
      hot: 'smallint',
      day: 'timestamptz',
      extra: 'json',
      more: 'jsonb NOT NULL',
    };
    await createTable('typed', types);
    const row = {
      title: 'T',
      short: 's',
      price: 1.5,
      ratio: 0.5,
      stock: 7,
      places: 3,
      hot: 1,
      day: '2026-01-02T03:04:05.678901Z',
      extra: '{"b":1,"a":2}',
      more: '[1]',
    };
    await addRow('typed', { id: '1', slug: 'one', _translation_group: '1', ...row });
    const { item } = (await register('typed')).data;
    expect(item.fields.map(({ slug, type }: { slug: string; type: string }) => [slug, type])).toEqual([
      ['title', 'text'],
      ['short', 'text'],
      ['price', 'number'],
      ['ratio', 'number'],
      ['stock', 'integer'],
      ['places', 'integer'],
      ['hot', 'boolean'],
      ['day', 'datetime'],
      ['extra', 'json'],
      ['more', 'json'],
    ]);
    const entry = (await admin.get('/content/typed/one')).data;
    expect(entry.item.data).toEqual({
      ...row,
      hot: true,
      day: expect.stringMatching(/^2026-01-02T03:04:05\.67\dZ$/),
      extra: { b: 1, a: 2 },
      more: [1],
    });
    const places = 2 ** 40;
    const written = await admin.put('/content/typed/one', {
      data: { places, short: 'longer than twenty characters', more: null },
      _rev: entry._rev,
    });
    expect(written.data.item.data).toMatchObject({ places, short: 'longer than twenty characters' });
    expect((await admin.post('/content/typed', { data: {} })).status).toBe(201);
  });
  it('adds the missing key, constraints and indexes', async () => {
    await createTable('bare');
    await site.collection({ slug: 'made', fields: [] });
    await register('bare');
    const indexes = async (slug: string) =>
      (
        await site.sql<{ definition: string }>(
          `SELECT replace(indexdef, tablename, 't') AS definition FROM pg_indexes WHERE tablename = $1 AND schemaname = current_schema() ORDER BY 1`,
          [`content_${slug}`],
        )
      ).map(({ definition }) => definition);
    expect(await indexes('bare')).toEqual(await indexes('made'));
    expect((await admin.post('/content/bare', { data: {}, slug: 'one' })).status).toBe(201);
    expect(statusAndCode(await admin.post('/content/bare', { data: {}, slug: 'one' }))).toEqual([
      409,
      'SLUG_CONFLICT',
    ]);
  });
  it('restores unique and indexed fields from the indexes of the table', async () => {
    await site.collection({
      slug: 'lost',
      fields: [
        { slug: 'code', type: 'string', unique: true, indexed: true },
        { slug: 'note', type: 'text' },
      ],
    });
    await admin.post('/content/lost', { data: { code: 'A', note: 'n' } });
    await site.sql(`DELETE FROM collections WHERE slug = 'lost'`);
    const { fields } = (await register('lost')).data.item;
    expect(fields[0]).toMatchObject({ slug: 'code', type: 'string', unique: true, indexed: true });
    expect(fields[1]).toMatchObject({ slug: 'note', type: 'text', unique: false, indexed: false });
    expect(statusAndCode(await admin.post('/content/lost', { data: { code: 'A' } }))).toEqual([
      409,
      'CONFLICT',
    ]);
    expect(
      (await admin.put('/schema/collections/lost/fields/code', { unique: false, indexed: false })).status,
    ).toBe(200);
    expect((await admin.post('/content/lost', { data: { code: 'A' } })).status).toBe(201);
  });
  it('returns 404 TABLE_NOT_FOUND without a table, and 409 COLLECTION_EXISTS with a collection', async () => {
    expect(statusAndCode(await register('nothing'))).toEqual([404, 'TABLE_NOT_FOUND']);
    expect(statusAndCode(await register('posts'))).toEqual([409, 'COLLECTION_EXISTS']);
  });
  it('returns 400 INVALID_SLUG or RESERVED_SLUG as POST /schema/collections does', async () => {
    expect(statusAndCode(await register('Posts'))).toEqual([400, 'INVALID_SLUG']);
    expect(statusAndCode(await register('a%22b'))).toEqual([400, 'INVALID_SLUG']);
    expect(statusAndCode(await register('media'))).toEqual([400, 'RESERVED_SLUG']);
  });
  it('returns 400 VALIDATION_ERROR for a blank label', async () => {
    expect(statusAndCode(await register('posts', { label: ' ' }))).toEqual([400, 'VALIDATION_ERROR']);
  });
  it('returns 400 REGISTER_FAILED naming missing system columns', async () => {
    await createTable('partial', { version: undefined, _locale: undefined });
    expect(await registrationError('partial')).toContain('lacks the columns version, _locale');
  });
  it('returns 400 REGISTER_FAILED naming system columns of another type', async () => {
    await createTable('mistyped', { author_id: 'integer' });
    expect(await registrationError('mistyped')).toContain('author_id');
  });
  it.each([
    ['a column whose name is not a field slug', 'upper', { 'Price (EUR)': 'text' }, 'Price (EUR)'],
    ['a reserved field slug', 'reserved', { terms: 'text' }, 'terms'],
    ['a column type without a field type', 'odd', { area: 'polygon' }, 'area'],
    ['a computed column', 'computed', { twice: 'bigint GENERATED ALWAYS AS (version * 2) STORED' }, 'twice'],
  ])('returns 400 REGISTER_FAILED for %s', async (_name, slug, columns, named) => {
    await createTable(slug, columns);
    expect(await registrationError(slug)).toContain(named);
  });
  it('returns 400 REGISTER_FAILED for another primary key', async () => {
    await createTable('keyed', {}, 'PRIMARY KEY (slug)');
    expect(await registrationError('keyed')).toContain('primary key');
  });
  it.each([
    [
      'a slug is duplicated in a locale',
      'twice',
      [
        { id: '1', slug: 's' },
        { id: '2', slug: 's' },
      ],
    ],
    ['an id is duplicated', 'same_ids', [{ id: '1' }, { id: '1', _locale: 'de' }]],
    ['a status is unknown', 'archive', [{ id: '1', status: 'archived' }]],
    ['a row has no locale', 'nowhere', [{ id: '1', _locale: null }]],
  ])('returns 400 REGISTER_FAILED and changes nothing when %s', async (_name, slug, rows) => {
    await createTable(slug, { n: 'integer' });
    for (const row of rows) await addRow(slug, { _translation_group: row.id, ...row });
    await registrationError(slug);
    const [column] = await site.sql(
      `SELECT data_type AS type FROM information_schema.columns WHERE table_name = $1 AND column_name = 'n' AND table_schema = current_schema()`,
      [`content_${slug}`],
    );
    expect(column).toEqual({ type: 'integer' });
  });
  it('creates one collection when 5 requests race', async () => {
    await createTable('raced');
    const responses = await Promise.all(Array.from({ length: 5 }, () => register('raced')));
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(responses.filter(({ error }) => error.code === 'COLLECTION_EXISTS')).toHaveLength(4);
  });
});
