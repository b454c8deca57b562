import { beforeAll, describe, expect, it } from '@jest/globals';
import { callTool, useSite, type Client } from '@quire/testing';
import { describeToolAccess } from './describe-tool-access.js';

const site = useSite();
let admin: Client;

beforeAll(async () => {
  admin = await site.as('admin');
  await call('schema_create_block_type', { slug: 'quote', label: 'Quote', fields: [] });
});

const title = { slug: 'title', label: 'Title', type: 'string', validation: { maxLength: 80 } };
const text = { slug: 'text', label: 'Text', type: 'text' };

let count = 0;
const call = (tool: string, args: object = {}) => callTool(admin, tool, args);
const create = async (fields: object[] = [title], more: object = {}) => {
  count += 1;
  const slug = `type_${count}`;
  const { data } = await call('schema_create_block_type', { slug, label: slug, fields, ...more });
  return { slug, item: data.item, expectedFingerprint: data.item.versions[0].fingerprint as string };
};
const get = async (slug: string) => (await call('schema_get_block_type', { slug })).data.item;

describe('schema_create_block_type', () => {
  it('returns {item} with one active version of all fields', async () => {
    const { item } = await create([title, text], { description: 'D', icon: 'i', category: 'c' });
    expect(item).toMatchObject({
      id: expect.any(String),
      label: item.slug,
      description: 'D',
      icon: 'i',
      category: 'c',
      currentVersion: 1,
      source: 'user',
      versions: [
        {
          id: expect.any(String),
          blockTypeId: item.id,
          version: 1,
          fields: [title, text],
          fingerprint: expect.any(String),
          active: true,
          createdAt: expect.any(String),
          updatedAt: expect.any(String),
        },
      ],
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    expect(await get(item.slug)).toEqual(item);
  });

  it.each([
    'url',
    'number',
    'integer',
    'boolean',
    'datetime',
    'select',
    'multiSelect',
    'portableText',
    'file',
  ])('accepts a field of type %s', async (type) => {
    const field = { slug: 'f', label: 'F', type, required: true };
    expect((await create([field])).item.versions[0].fields).toEqual([field]);
  });

  it('accepts images with a dark variant, and repeaters with sub-fields', async () => {
    const fields = [
      { slug: 'cover', label: 'Cover', type: 'image', options: { darkVariant: true } },
      { slug: 'rows', label: 'Rows', type: 'repeater', validation: { subFields: [text], maxItems: 3 } },
    ];
    expect((await create(fields)).item.versions[0].fields).toEqual(fields);
  });

  it('ignores unknown arguments', async () => {
    expect((await create([], { source: 'seed', extra: 1 })).item.source).toBe('user');
  });

  it('rejects a taken slug with BLOCK_TYPE_EXISTS', async () => {
    const { code } = await call('schema_create_block_type', { slug: 'quote', label: 'Quote', fields: [] });
    expect(code).toBe('BLOCK_TYPE_EXISTS');
  });

  it.each<[string, object]>([
    ['slug', { slug: 'No' }],
    ['slug', { slug: 'a'.repeat(64) }],
    ['label', { label: ' ' }],
    ['label', { label: 'x'.repeat(201) }],
    ['fields', { fields: undefined }],
    ['fields.0.type', { fields: [{ ...title, type: 'reference' }] }],
    ['fields.0.type', { fields: [{ ...title, type: 'json' }] }],
    ['fields.0.type', { fields: [{ ...title, type: 'slug' }] }],
    ['fields.0.type', { fields: [{ ...title, type: 'blocks' }] }],
    ['fields.1.slug', { fields: [title, title] }],
    ['fields.0.validation.min', { fields: [{ ...title, validation: { min: 1 } }] }],
    ['fields.0.validation.subFields', { fields: [{ ...text, type: 'repeater' }] }],
  ])('rejects a wrong %s with VALIDATION_ERROR: %j', async (path, wrong) => {
    const args = { slug: 'rejected', label: 'Rejected', fields: [], ...wrong };
    const { code, details } = await call('schema_create_block_type', args);
    expect(code).toBe('VALIDATION_ERROR');
    expect(details?.['issues']).toContainEqual(expect.objectContaining({ path }));
    expect((await call('schema_get_block_type', { slug: 'rejected' })).code).toBe('NOT_FOUND');
  });
});

describe('schema_list_block_types', () => {
  it('returns {items} with all versions', async () => {
    const { item } = await create();
    const { data } = await call('schema_list_block_types');
    expect(data.items).toContainEqual(item);
  });
});

const bySlug: [string, object][] = [
  ['schema_get_block_type', {}],
  ['schema_update_block_type', { expectedFingerprint: 'x' }],
  ['schema_activate_block_type_version', { version: 1, expectedFingerprint: 'x' }],
];

describe.each(bySlug)('%s', (tool, args) => {
  it('rejects an unknown block type with NOT_FOUND and its slug', async () => {
    const { code, text: message } = await call(tool, { ...args, slug: 'nothing' });
    expect([code, message.includes('nothing')]).toEqual(['NOT_FOUND', true]);
  });

  it('rejects a malformed slug with VALIDATION_ERROR', async () => {
    for (const slug of ['No', '', 'a-b'])
      expect((await call(tool, { ...args, slug })).code).toBe('VALIDATION_ERROR');
  });
});

describe('access', () => {
  describeToolAccess(
    site,
    { scope: 'schema:read', minRole: 'editor' },
    { schema_list_block_types: {}, schema_get_block_type: { slug: 'quote' } },
  );
  describeToolAccess(
    site,
    { scope: 'schema:write', minRole: 'admin' },
    {
      schema_create_block_type: { slug: 'quote', label: 'Quote', fields: [] },
      schema_update_block_type: { slug: 'nothing', expectedFingerprint: 'x' },
      schema_activate_block_type_version: { slug: 'nothing', version: 1, expectedFingerprint: 'x' },
    },
  );
});
