import { beforeAll, describe, expect, it } from '@jest/globals';
import { issuePaths, statusAndCode, useSite, type Client } from '@quire/testing';

const site = useSite();
let admin: Client;

beforeAll(async () => {
  admin = await site.as('admin');
  await site.collection({ slug: 'things', fields: [] });
});

const fields = '/schema/collections/things/fields';
const create = (slug: string, type: string, more: object = {}) =>
  admin.post(fields, { slug, label: 'A label', type, ...more });
const get = async (slug: string) => (await admin.get(`${fields}/${slug}`)).data.item;

async function columnType(column: string): Promise<string | undefined> {
  const [row] = await site.sql<{ type: string }>(
    `SELECT format_type(atttypid, atttypmod) AS type FROM pg_attribute
     WHERE attrelid = 'content_things'::regclass AND attname = $1 AND NOT attisdropped`,
    [column],
  );
  return row?.type;
}

async function indexesOn(column: string): Promise<string[]> {
  const rows = await site.sql<{ definition: string }>(
    `SELECT indexdef AS definition FROM pg_indexes WHERE schemaname = current_schema() AND tablename = 'content_things'`,
  );
  return rows
    .map(({ definition }) => definition)
    .filter((definition) => new RegExp(`\\b${column}\\b`).test(definition.split(' USING ')[1] ?? ''));
}

const rowFields = { validation: { subFields: [{ slug: 'name', label: 'Name', type: 'string' }] } };
const types: [type: string, column: string, columnClass: string, more?: object][] = [
  ['string', 'text', 'TEXT'],
  ['text', 'text', 'TEXT'],
  ['url', 'text', 'TEXT'],
  ['slug', 'text', 'TEXT'],
  ['select', 'text', 'TEXT'],
  ['reference', 'text', 'TEXT'],
  ['number', 'double precision', 'REAL'],
  ['integer', 'bigint', 'INTEGER'],
  ['boolean', 'smallint', 'INTEGER'],
  ['datetime', 'timestamp(3) with time zone', 'TEXT'],
  ['multiSelect', 'jsonb', 'JSON'],
  ['portableText', 'jsonb', 'JSON'],
  ['image', 'jsonb', 'TEXT'],
  ['file', 'jsonb', 'TEXT'],
  ['json', 'json', 'JSON'],
  ['repeater', 'jsonb', 'JSON', rowFields],
];
const indexable = [
  'string',
  'url',
  'number',
  'integer',
  'boolean',
  'datetime',
  'select',
  'reference',
  'slug',
];

describe('POST /schema/collections/{slug}/fields', () => {
  it('returns 201 with every documented property and its defaults', async () => {
    const response = await create('first', 'string');
    expect(response.status).toBe(201);
    expect(response.data.item).toEqual({
      id: expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{26}$/),
      collectionId: (await admin.get('/schema/collections/things')).data.item.id,
      slug: 'first',
      label: 'A label',
      type: 'string',
      columnType: 'TEXT',
      required: false,
      unique: false,
      searchable: false,
      indexed: false,
      translatable: true,
      defaultValue: null,
      validation: null,
      widget: null,
      options: null,
      sortOrder: 0,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    expect(await get('first')).toEqual(response.data.item);
  });
  it('stores all submitted properties', async () => {
    const sent = {
      required: true,
      unique: true,
      searchable: true,
      indexed: true,
      translatable: false,
      defaultValue: 'abc',
      validation: { minLength: 2, maxLength: 9, pattern: '^[a-z]+$' },
      widget: 'fancy',
      options: { hint: 'Write', nested: { deep: [1, null] } },
      sortOrder: 0,
    };
    expect((await create('sent', 'string', sent)).data.item).toMatchObject(sent);
  });
  it.each(types)('creates a column for the type %s: %s', async (type, column, columnClass, more = {}) => {
    const slug = `of_${type.toLowerCase()}`;
    expect((await create(slug, type, more)).data.item).toMatchObject({ type, columnType: columnClass });
    expect(await columnType(slug)).toBe(column);
  });
  it.each(indexable)('creates an index for an indexed field of type %s', async (type) => {
    const slug = `by_${type}`;
    expect((await create(slug, type, { indexed: true })).data.item.indexed).toBe(true);
    expect(await indexesOn(slug)).toHaveLength(1);
    expect((await admin.get(`/content/things?orderBy=${slug}`)).status).toBe(200);
  });
  it.each(types.filter(([type]) => !indexable.includes(type)))(
    'returns 400 FIELD_NOT_INDEXABLE for an indexed field of type %s',
    async (type, _column, _class, more = {}) => {
      expect(statusAndCode(await create('never', type, { ...more, indexed: true }))).toEqual([
        400,
        'FIELD_NOT_INDEXABLE',
      ]);
    },
  );
  it.each([
    'string',
    'text',
    'url',
    'number',
    'integer',
    'boolean',
    'datetime',
    'select',
    'reference',
    'slug',
  ])('creates a unique index for a unique field of type %s', async (type) => {
    const slug = `one_${type}`;
    expect((await create(slug, type, { unique: true })).status).toBe(201);
    const [definition, ...others] = await indexesOn(slug);
    expect([definition, others]).toEqual([expect.stringContaining('CREATE UNIQUE INDEX'), []]);
  });
  it('distinguishes unique values of any length', async () => {
    const long = Array.from({ length: 3000 }, (_, index) =>
      String.fromCodePoint(0x4e00 + ((index * 7919) % 20_000)),
    ).join('');
    const write = (text: string) => admin.post('/content/things', { data: { sent: 'abc', one_text: text } });
    await admin.put(`${fields}/sent`, { unique: false });
    expect((await write(long)).status).toBe(201);
    expect((await write(`${long}x`)).status).toBe(201);
    expect(statusAndCode(await write(long))).toEqual([409, 'CONFLICT']);
  });
  it.each(['multiSelect', 'portableText', 'image', 'file', 'json'])(
    'returns 400 for unique on a field of type %s',
    async (type) => {
      const response = await create('never', type, { unique: true });
      expect([statusAndCode(response), issuePaths(response)]).toEqual([
        [400, 'VALIDATION_ERROR'],
        ['unique'],
      ]);
    },
  );
  it.each([
    ['string', '5'],
    ['json', 'text'],
    ['json', { b: 1, a: [null, 2] }],
    ['boolean', true],
    ['boolean', false],
    ['multiSelect', []],
    ['multiSelect', ['a']],
    ['integer', 0],
    ['string', ''],
  ])('stores the default of a %s field: %j', async (type, defaultValue) => {
    const slug = `d_${(await admin.get(fields)).data.items.length}`;
    const created = (await create(slug, type, { defaultValue })).data.item;
    expect([created.defaultValue, (await get(slug)).defaultValue]).toEqual([defaultValue, defaultValue]);
    const { item } = (await admin.post('/content/things', { data: { sent: 'abc' } })).data;
    expect(item.data[slug]).toEqual(defaultValue);
  });
  it.each(
    [
      'id slug status author_id primary_byline_id created_at updated_at published_at',
      'scheduled_at deleted_at version live_revision_id draft_revision_id terms bylines byline',
    ].flatMap((line) => line.split(' ')),
  )('returns 400 RESERVED_SLUG for %s', async (slug) => {
    expect(statusAndCode(await create(slug, 'string'))).toEqual([400, 'RESERVED_SLUG']);
  });
  it.each(['ctid', 'cmax', 'cmin', 'tableoid', 'xmax', 'xmin'])(
    'returns 400 RESERVED_SLUG for %s, a column of the database',
    async (slug) => {
      expect(statusAndCode(await create(slug, 'string'))).toEqual([400, 'RESERVED_SLUG']);
    },
  );
  it.each([
    '',
    'Title',
    '1st',
    '_x',
    'a-b',
    'a b',
    'a"b',
    "a'b",
    'a;--',
    'ü',
    '題',
    'a\n',
    'a\u0000',
    '__proto__',
    'x'.repeat(64),
  ])('returns 400 INVALID_SLUG for %j', async (slug) => {
    expect(statusAndCode(await create(slug, 'string'))).toEqual([400, 'INVALID_SLUG']);
  });
  it.each([
    'select',
    'order',
    'user',
    'default',
    'constructor',
    'locale',
    'translation_group',
    'seo',
    'data',
    'rows',
    'e',
    't',
    'x'.repeat(63),
  ])('accepts the slug %s in entries', async (slug) => {
    expect((await create(slug, 'string', { indexed: true, unique: true })).status).toBe(201);
    const { item } = (await admin.post('/content/things', { data: { sent: 'abc', [slug]: 'value' } })).data;
    expect((await admin.get(`/content/things/${item.id}`)).data.item.data[slug]).toBe('value');
  });
  it('creates different indexes for slugs with 62 equal characters and for similar slugs', async () => {
    expect((await create(`${'x'.repeat(62)}y`, 'string', { indexed: true, unique: true })).status).toBe(201);
    await site.collection({
      slug: 'things__part',
      fields: [{ slug: 'name', type: 'string', indexed: true, unique: true }],
    });
    expect((await create('part__name', 'string', { indexed: true, unique: true })).status).toBe(201);
  });
  it.each([
    ['label', { label: '' }],
    ['type', { type: 'colour' }],
    ['required', { required: 'yes' }],
    ['sortOrder', { sortOrder: -1 }],
    ['widget', { widget: '' }],
    ['options', { options: [] }],
    ['validation.min', { validation: { min: 1 } }],
    ['validation.minLength', { validation: { minLength: 5, maxLength: 4 } }],
    ['validation.pattern', { validation: { pattern: '(' } }],
    ['defaultValue', { defaultValue: 5 }],
    ['defaultValue', { defaultValue: 'toolong', validation: { maxLength: 3 } }],
  ])('returns 400 naming %s for %j', async (path, more) => {
    const response = await create('never', 'string', more);
    expect([statusAndCode(response), issuePaths(response)]).toEqual([[400, 'VALIDATION_ERROR'], [path]]);
  });
  it('returns 404 COLLECTION_NOT_FOUND or 409 FIELD_EXISTS', async () => {
    const body = { slug: 'first', label: 'First', type: 'string' };
    expect(statusAndCode(await admin.post('/schema/collections/nothing/fields', body))).toEqual([
      404,
      'COLLECTION_NOT_FOUND',
    ]);
    expect(statusAndCode(await create('first', 'integer'))).toEqual([409, 'FIELD_EXISTS']);
  });
  it('creates nothing when the database rejects the column', async () => {
    await site.sql('ALTER TABLE content_things ADD COLUMN ghost text');
    const before = (await admin.get(fields)).data.items;
    expect(statusAndCode(await create('ghost', 'string', { unique: true, indexed: true }))).toEqual([
      409,
      'FIELD_EXISTS',
    ]);
    expect((await admin.get(fields)).data.items).toEqual(before);
    expect(await indexesOn('ghost')).toEqual([]);
  });
});

describe('GET /schema/collections/{slug}/fields and /{fieldSlug}', () => {
  it('return 404 NOT_FOUND for an unknown collection or field', async () => {
    for (const path of [
      '/schema/collections/nothing/fields',
      '/schema/collections/nothing/fields/first',
      `${fields}/nothing`,
    ])
      expect(statusAndCode(await admin.get(path))).toEqual([404, 'NOT_FOUND']);
  });
});
