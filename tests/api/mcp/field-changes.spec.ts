import { beforeAll, describe, expect, it } from '@jest/globals';
import { callTool, createEntry, useSite, type Client } from '@quire/testing';

const site = useSite();
let admin: Client;

beforeAll(async () => {
  admin = await site.as('admin');
  await site.collection();
});

let count = 0;
const call = (tool: string, args: object) => callTool(admin, tool, args);
const create = (field: object) => {
  count += 1;
  const args = { collection: 'posts', slug: `f${count}`, label: 'L', type: 'string', ...field };
  return call('schema_create_field', args);
};
const update = (fieldSlug: string, properties: object, collection = 'posts') =>
  call('schema_update_field', { collection, fieldSlug, ...properties });
const fieldOf = async (slug: string) => {
  const { data } = await call('schema_get_collection', { slug: 'posts' });
  return data.fields.find((field: { slug: string }) => field.slug === slug);
};
/** A collection with one field `f`, and an entry for each value. */
const filled = async (field: { type: 'string' | 'integer' }, values: unknown[]) => {
  count += 1;
  const slug = `filled_${count}`;
  await site.collection({ slug, fields: [{ slug: 'f', ...field }] });
  for (const value of values) await admin.post(`/content/${slug}`, { data: { f: value } });
  return slug;
};

describe('schema_update_field', () => {
  it('returns {item} and changes only the given properties; null clears one', async () => {
    const { data: created } = await create({ slug: 'changed', widget: 'w', validation: { maxLength: 5 } });
    const properties = { label: 'New', searchable: true, sortOrder: 9, indexed: true, defaultValue: 'abc' };
    const { data } = await update('changed', properties);
    expect(data.item).toEqual({ ...created, ...properties, updatedAt: data.item.updatedAt });
    const cleared = { validation: null, defaultValue: null };
    expect((await update('changed', cleared)).data.item).toMatchObject({
      ...cleared,
      label: 'New',
      widget: 'w',
    });
  });

  it('changes types among string, text and slug', async () => {
    await create({ slug: 'retyped' });
    for (const type of ['text', 'slug', 'string'])
      expect((await update('retyped', { type })).data.item).toMatchObject({ type });
  });

  it.each([
    ['integer', 'FIELD_TYPE_COLUMN_CHANGE'],
    ['json', 'FIELD_TYPE_COLUMN_CHANGE'],
    ['url', 'FIELD_TYPE_CHANGE_REQUIRES_MIGRATION'],
    ['select', 'FIELD_TYPE_CHANGE_REQUIRES_MIGRATION'],
  ])('rejects a change from string to %s with %s', async (type, code) => {
    const slug = `to_${type}`;
    const { data: created } = await create({ slug });
    expect((await update(slug, { type, label: 'New' })).code).toBe(code);
    expect(await fieldOf(slug)).toEqual(created);
  });

  it.each<[object, 'string' | 'integer', unknown[]]>([
    [{ required: true }, 'string', [null]],
    [{ unique: true }, 'integer', [1, 1]],
  ])(
    'rejects %j that stored entries break with FIELD_UPDATE_REQUIRES_MIGRATION',
    async (rule, type, values) => {
      const slug = await filled({ type }, values);
      expect((await update('f', { ...rule, label: 'New' }, slug)).code).toBe(
        'FIELD_UPDATE_REQUIRES_MIGRATION',
      );
      const { data } = await call('schema_get_collection', { slug });
      expect(data.fields[0]).toMatchObject({ label: 'f', required: false, unique: false });
    },
  );

  it('rejects indexed on a type that has no index with FIELD_NOT_INDEXABLE', async () => {
    expect((await update('body', { indexed: true })).code).toBe('FIELD_NOT_INDEXABLE');
  });

  it.each<[string, object]>([
    ['an unknown collection', { collection: 'nowhere' }],
    ['an unknown field', { fieldSlug: 'nowhere' }],
  ])('rejects %s with NOT_FOUND and its slug', async (_, address) => {
    for (const tool of ['schema_update_field', 'schema_delete_field']) {
      const { code, text } = await call(tool, { collection: 'posts', fieldSlug: 'title', ...address });
      expect([code, text.includes('nowhere')]).toEqual(['NOT_FOUND', true]);
    }
  });

  it.each([{ fieldSlug: 'A' }, { collection: 'A' }, { type: 'x' }, { unique: 1 }, { validation: [] }])(
    'rejects %j with VALIDATION_ERROR',
    async (wrong) => {
      const { code } = await call('schema_update_field', {
        collection: 'posts',
        fieldSlug: 'title',
        ...wrong,
      });
      expect(code).toBe('VALIDATION_ERROR');
    },
  );
});

describe('schema_delete_field', () => {
  it('returns {deleted, collection} and deletes stored values', async () => {
    await create({ slug: 'old', type: 'string' });
    const entry = await createEntry(admin, 'posts', { old: 'value' });
    const { data } = await call('schema_delete_field', { collection: 'posts', fieldSlug: 'old' });
    expect(data).toEqual({ deleted: 'old', collection: 'posts' });
    expect((await entry.get()).item.data).not.toHaveProperty('old');
    await create({ slug: 'old' });
    expect((await entry.get()).item.data.old ?? null).toBeNull();
  });
});
