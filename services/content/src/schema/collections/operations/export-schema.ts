import { createHash } from 'node:crypto';
import type { FieldType } from '@quire/content-model';
import type { Context } from '@quire/context';
import { toFieldResponses } from '../../block-types/field.mapper.js';
import { Collection } from '../collection.entity.js';
import { Field } from '../../fields/field.entity.js';
import { toCollectionResponse, type CollectionResponse } from '../../schema.mapper.js';

export interface ExportedSchema {
  collections: CollectionResponse[];
  /** Changes when anything of the schema does. */
  version: string;
}

/** All collections with their fields, for programs that generate code or caches from them. */
export async function exportSchema(ctx: Context): Promise<ExportedSchema> {
  return ctx.db.transaction(async (tx) => {
    await tx.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const stored = await tx.repository(Collection).find({ order: { slug: 'ASC' } });
    const fields = await toFieldResponses(
      tx,
      await tx.repository(Field).find({ order: { sortOrder: 'ASC', slug: 'ASC' } }),
    );
    const collections = stored.map((collection) =>
      toCollectionResponse(
        collection,
        fields.filter(({ collectionId }) => collectionId === collection.id),
      ),
    );
    const version = createHash('sha256').update(JSON.stringify(collections)).digest('hex').slice(0, 16);
    return { collections, version };
  });
}

const typescriptTypes: Record<FieldType, string> = {
  string: 'string',
  text: 'string',
  url: 'string',
  slug: 'string',
  select: 'string',
  datetime: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  multiSelect: 'string[]',
  portableText: '{ _type: string; [key: string]: unknown }[]',
  image: '{ id: string; src?: string; alt?: string; [key: string]: unknown }',
  file: '{ id: string; filename?: string; [key: string]: unknown }',
  reference: 'string | string[]',
  json: 'unknown',
  repeater: 'Record<string, unknown>[]',
  blocks: '{ _type: string; _version: number; _key: string; [key: string]: unknown }[]',
};

/** The schema as TypeScript source: one interface a collection with the `data` of its entries. */
export function schemaAsTypescript({ collections, version }: ExportedSchema): string {
  const interfaces = collections.map(({ slug, fields = [] }) => {
    const lines = fields.map(
      ({ slug: name, type, required }) => `  ${name}${required ? '' : '?'}: ${typescriptTypes[type]};`,
    );
    return `export interface ${interfaceName(slug)} {\n${lines.join('\n')}\n}\n`;
  });
  const names = collections.map(({ slug }) => `  ${slug}: ${interfaceName(slug)};`);
  return `// Generated from schema version ${version}.\n\n${interfaces.join('\n')}\nexport interface Collections {\n${names.join('\n')}\n}\n`;
}

/**
 * Different slugs have different names (`a_1` and `a1` too), and none is called like a global or like `Collections`.
 */
function interfaceName(slug: string): string {
  const name = slug.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return `${name}Entry`;
}
