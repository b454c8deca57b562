import type { z } from 'zod';
import { classificationRecords } from './definitions/classification-records.js';
import type { RecordDefinition } from './definitions/define-record.js';
import { entryRecords } from './definitions/entry-records.js';
import { mediaRecords } from './definitions/media-records.js';
import { schemaRecords } from './definitions/schema-records.js';
import { siteRecords } from './definitions/site-records.js';
import type { PropertyMeta, PropertyReference } from './properties.js';
import type { RecordKind } from './record-kinds.js';

const definitions = {
  ...siteRecords,
  ...schemaRecords,
  ...mediaRecords,
  ...classificationRecords,
  ...entryRecords,
} satisfies Record<RecordKind, object>;

/** A record of a kind. */
export type SiteRecord<Kind extends RecordKind> = z.output<(typeof definitions)[Kind]['schema']>;

/** The definition of each kind, with the names of its properties as plain texts. */
export const recordDefinitions = definitions as unknown as Readonly<Record<RecordKind, RecordDefinition>>;

/** The properties of a kind that refer to other records. */
export function referencesOf(kind: RecordKind): { property: string; reference: PropertyReference }[] {
  return Object.entries(recordDefinitions[kind].schema.shape).flatMap(([property, schema]) => {
    const { reference } = metaOf(schema as z.ZodType);
    return reference ? [{ property, reference }] : [];
  });
}

/** The properties of a kind that refer to records of the same kind. */
export function parentProperties(kind: RecordKind): string[] {
  return referencesOf(kind)
    .filter(({ reference }) => reference.kind === kind)
    .map(({ property }) => property);
}

/** The metadata of a schema, or of the schema that a nullable one wraps. */
function metaOf(schema: z.ZodType): PropertyMeta {
  const meta = schema.meta() as PropertyMeta | undefined;
  if (meta) return meta;
  const { innerType } = schema.def as { innerType?: z.ZodType };
  return innerType ? metaOf(innerType) : {};
}

/** The key of a record: the values of its key properties, joined with slashes. */
export function keyOf(kind: RecordKind, record: Readonly<Record<string, unknown>>): string {
  return recordDefinitions[kind].key.map((property) => String(record[property])).join('/');
}
