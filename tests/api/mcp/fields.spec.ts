import { beforeAll, describe, expect, it } from '@jest/globals';
import { fieldTypes } from '@quire/content-model';
import { callTool, useSite, type Client } from '@quire/testing';
import { describeToolAccess } from './describe-tool-access.js';

const site = useSite();
let admin: Client;

beforeAll(async () => {
  admin = await site.as('admin');
  await site.collection();
  await site.collection({ slug: 'authors', fields: [] });
});

let count = 0;
const call = (tool: string, args: object) => callTool(admin, tool, args);
const create = (field: object) => {
  count += 1;
  const args = { collection: 'posts', slug: `f${count}`, label: 'L', type: 'string', ...field };
  return call('schema_create_field', args);
};
const subFields = [{ slug: 'part', label: 'Part', type: 'select', options: ['a', 'b'] }];
const validationOf: Partial<Record<string, object>> = { repeater: { subFields } };

describe('schema_create_field', () => {
  it('returns the field, not wrapped, with the defaults of omitted properties', async () => {
    const { data } = await create({ slug: 'summary', label: 'Summary' });
    expect(data).toMatchObject({
      id: expect.any(String),
      slug: 'summary',
      label: 'Summary',
      type: 'string',
      required: false,
      unique: false,
      searchable: false,
      indexed: false,
      translatable: true,
      defaultValue: null,
      validation: null,
      widget: null,
      options: null,
      sortOrder: 2,
      createdAt: expect.any(String),
    });
  });

  it('stores every property', async () => {
    const properties = {
      required: true,
      unique: true,
      searchable: true,
      indexed: true,
      translatable: false,
      defaultValue: 'ab',
      validation: { minLength: 1, maxLength: 5, pattern: '^[a-z]+$' },
      widget: 'color',
      options: { rows: 2 },
      sortOrder: 40,
    };
    const { data } = await call('schema_create_field', {
      collection: 'authors',
      slug: 'code',
      label: 'Code',
      type: 'string',
      ...properties,
    });
    expect(data).toMatchObject(properties);
  });

  it.each(fieldTypes)('creates a field of type %s', async (type) => {
    const { data } = await create({ slug: `a_${type.toLowerCase()}`, type, validation: validationOf[type] });
    expect(data).toMatchObject({ type });
  });

  it.each<[string, object]>([
    ['integer', { min: 1, max: 5 }],
    ['number', { min: 0.5, max: 5.5 }],
    ['multiSelect', { options: ['a', 'b'] }],
    ['image', { allowedMimeTypes: ['image/png'] }],
    ['repeater', { subFields, minItems: 1, maxItems: 3 }],
    ['blocks', { allowedTypes: [], minItems: 0, maxItems: 4 }],
  ])('stores the rules of a %s field', async (type, validation) => {
    const { data } = await create({ type, validation });
    expect(data.validation).toEqual(validation);
  });

  it('creates the relation of a reference field with targetCollection and multiple', async () => {
    const validation = { targetCollection: 'authors', multiple: true };
    const { data } = await create({ slug: 'writers', type: 'reference', validation });
    expect(data.validation).toMatchObject({ targetCollection: 'authors', relation: 'posts_writers' });
  });

  it('rejects a taken slug with FIELD_EXISTS', async () => {
    expect((await create({ slug: 'title' })).code).toBe('FIELD_EXISTS');
  });

  it.each(['text', 'json', 'multiSelect', 'portableText', 'image', 'file', 'repeater', 'blocks'])(
    'rejects indexed on the type %s with FIELD_NOT_INDEXABLE',
    async (type) => {
      const { code } = await create({ type, indexed: true, validation: validationOf[type] });
      expect(code).toBe('FIELD_NOT_INDEXABLE');
    },
  );

  it.each(['id', 'slug', 'status', 'author_id', 'version', 'terms', 'bylines', 'byline', 'deleted_at'])(
    'rejects the slug %s with RESERVED_SLUG',
    async (slug) => {
      expect((await create({ slug })).code).toBe('RESERVED_SLUG');
    },
  );

  it.each<[string, object]>([
    ['slug', { slug: 'Not a slug' }],
    ['slug', { slug: 'a'.repeat(64) }],
    ['collection', { collection: 'No!' }],
    ['label', { label: '' }],
    ['type', { type: 'markdown' }],
    ['type', { type: undefined }],
    ['required', { required: 'yes' }],
    ['sortOrder', { sortOrder: -1 }],
    ['validation.min', { validation: { min: 1 } }],
    ['validation.minLength', { validation: { minLength: '1' } }],
    ['validation.minLength', { validation: { minLength: 5, maxLength: 1 } }],
    ['validation.pattern', { validation: { pattern: '(' } }],
    ['validation.unknown', { validation: { unknown: 1 } }],
    ['validation.subFields', { type: 'repeater' }],
    [
      'validation.subFields.0.type',
      { type: 'repeater', validation: { subFields: [{ ...subFields[0], type: 'file' }] } },
    ],
    ['validation.maxItems', { type: 'blocks', validation: { maxItems: 101 } }],
    ['validation.allowedTypes.0', { type: 'blocks', validation: { allowedTypes: ['nothing'] } }],
    ['validation.relationSide', { type: 'reference', validation: { relationSide: 'left' } }],
  ])('rejects a wrong %s with VALIDATION_ERROR: %j', async (path, field) => {
    const { code, details } = await create(field);
    expect(code).toBe('VALIDATION_ERROR');
    expect(details?.['issues']).toContainEqual(expect.objectContaining({ path }));
  });

  it.each([{ collection: 'nowhere' }, { type: 'reference', validation: { targetCollection: 'nowhere' } }])(
    'rejects an unknown collection with NOT_FOUND and its slug: %j',
    async (field) => {
      const { code, text } = await create(field);
      expect([code, text.includes('nowhere')]).toEqual(['NOT_FOUND', true]);
    },
  );
});

describe('access', () => {
  describeToolAccess(
    site,
    { scope: 'schema:write', minRole: 'admin' },
    {
      schema_create_field: { collection: 'posts', slug: 'title', label: 'Title', type: 'string' },
      schema_update_field: { collection: 'posts', fieldSlug: 'nowhere' },
      schema_delete_field: { collection: 'posts', fieldSlug: 'nowhere' },
    },
  );
});
