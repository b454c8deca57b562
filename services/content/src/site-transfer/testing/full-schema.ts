import { blockFingerprint, type BlockField } from '@quire/content-model';
import type { Context } from '@quire/context';
import { insertRows, type Queryable } from '@quire/database';
import { createTestCollection, schemaChanges } from '../../import/testing/test-schema.js';
import {
  BlockTypeVersion,
  createBlockType,
  createBlockTypeBody,
  createField,
  createFieldBody,
  type SchemaChanges,
} from '../../schema/index.js';

const choices = { options: ['red', 'green', 'blue'] };
const rows = {
  subFields: [
    { slug: 'label', label: 'Label', type: 'string' },
    { slug: 'count', label: 'Count', type: 'integer' },
  ],
};

/** A field of each type; a reference field once for each of its kinds. */
const fields = [
  { slug: 'title', type: 'string', required: true, searchable: true, indexed: true },
  { slug: 'summary', type: 'text', translatable: false, widget: 'textarea' },
  { slug: 'link', type: 'url' },
  { slug: 'price', type: 'number', validation: { min: 0 } },
  { slug: 'stock', type: 'integer', defaultValue: 5 },
  { slug: 'isopen', type: 'boolean' },
  { slug: 'at', type: 'datetime' },
  { slug: 'color', type: 'select', validation: choices },
  { slug: 'colors', type: 'multiSelect', validation: choices },
  { slug: 'content', type: 'portableText' },
  { slug: 'picture', type: 'image' },
  { slug: 'attachment', type: 'file' },
  { slug: 'author', type: 'reference', validation: { targetCollection: 'people' } },
  { slug: 'related', type: 'reference', validation: { targetCollection: 'posts', multiple: true } },
  { slug: 'friend', type: 'reference' },
  { slug: 'friends', type: 'reference', options: { allowMultiple: true } },
  { slug: 'extra', type: 'json' },
  { slug: 'alias', type: 'slug', unique: true },
  { slug: 'rows', type: 'repeater', validation: rows },
  { slug: 'blocks', type: 'blocks', validation: { allowedTypes: ['quote'] } },
];

/** Creates the collections `posts` with all kinds of fields, `people` and `empty`, and a block type. */
export async function createFullSchema(ctx: Context): Promise<void> {
  const changes = schemaChanges();
  await createTestCollection(ctx, 'people', { admin: { listColumns: ['name'] } });
  await createTestCollection(ctx, 'posts', {
    supports: ['drafts', 'revisions', 'preview', 'scheduling', 'search', 'seo'],
    urlPattern: '/posts/{slug}',
    sortOrder: 1,
    group: 'Site',
  });
  await createTestCollection(ctx, 'empty', { supports: [], routable: false });
  await createQuoteType(ctx, changes);
  for (const field of fields) await addField(ctx, changes, 'posts', field);
  await addField(ctx, changes, 'people', { slug: 'name', type: 'string' });
  await addChildSide(ctx, changes, 'people', {});
  await addChildSide(ctx, changes, 'posts', { relationSide: 'child' });
}

/** Adds a field that views the other end of the relation of `posts` to a collection. */
async function addChildSide(
  ctx: Context,
  changes: SchemaChanges,
  collection: string,
  side: { relationSide?: 'child' },
): Promise<void> {
  const [relation] = await ctx.db.query<{ slug: string }>(
    'SELECT slug FROM relations WHERE child_collection = $1',
    [collection],
  );
  const validation = { relation: relation?.slug, ...side };
  await addField(ctx, changes, collection, { slug: 'linked', type: 'reference', validation });
}

async function createQuoteType(ctx: Context, changes: SchemaChanges): Promise<void> {
  const quote = {
    slug: 'quote',
    label: 'Quote',
    description: 'A quotation',
    fields: [
      { slug: 'text', label: 'Text', type: 'text' },
      { slug: 'sources', label: 'Sources', type: 'repeater', validation: rows },
    ],
  };
  await createBlockType(ctx, changes, { ...createBlockTypeBody.parse(quote), source: 'user' });
  await addQuoteVersion(ctx.db);
}

/** A second, active version with one field; stored blocks are of the first one. */
async function addQuoteVersion(db: Queryable): Promise<void> {
  const [type] = await db.query<{ id: string }>('SELECT id FROM block_types');
  const fields: BlockField[] = [{ slug: 'text', label: 'Text', type: 'text' }];
  await insertRows(db, BlockTypeVersion, [
    {
      id: 'quote-2',
      blockTypeId: type?.id ?? '',
      version: 2,
      fields,
      fingerprint: blockFingerprint(fields),
    },
  ]);
  await db.query('UPDATE block_types SET current_version = 2');
}

async function addField(
  ctx: Context,
  changes: SchemaChanges,
  collection: string,
  field: { slug: string; type: string; validation?: object },
): Promise<void> {
  const input = createFieldBody.parse({ label: field.slug, ...field });
  await createField(ctx, changes, { collection, field: input });
}
