import { createHash } from 'node:crypto';
import { beginSnapshot } from '@quire/database';
import type { FieldType } from '@quire/content-model';
import type { Context } from '@quire/context';
import { toFieldResponses } from '../../fields/field.mapper.js';
import { selectAllFields } from '../../fields/fields.repository.js';
import { toCollectionResponse, type CollectionResponse } from '../collection.mapper.js';
import { selectCollections } from '../collections.repository.js';

export interface ExportedSchema {
  collections: CollectionResponse[];
  /** A hash of the schema. */
  version: string;
}

/** @returns all collections with their fields, for code generators and caches (contract 14). */
export async function exportSchema(ctx: Context): Promise<ExportedSchema> {
  return ctx.db.transaction(async (tx) => {
    await beginSnapshot(tx);
    const stored = await selectCollections(tx, 'slug');
    const fields = await toFieldResponses(tx, await selectAllFields(tx));
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

/** @returns TypeScript source with an interface for the `data` of each collection's entries. */
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

/** Names of different slugs differ (`a_1` and `a1`), and none equals `Collections` or the name of a global. */
function interfaceName(slug: string): string {
  const name = slug.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return `${name}Entry`;
}
