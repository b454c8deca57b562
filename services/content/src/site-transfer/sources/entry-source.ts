import { allowsMultiple, columnType, type FieldDefinition } from '@quire/content-model';
import { identifier, isoTextOf, literal } from '@quire/database';
import { recordDefinitions } from '@quire/site-package';
import type { RecordSource } from '@quire/site-records';
import { primaryGroup } from '../../bylines/credits/index.js';
import { contentTableName, systemColumns } from '../../schema/index.js';
import type { CopiedCollection } from '../copied-collections.js';

/** The entries of all collections, those of the trash included. */
export function entrySource(collections: readonly CopiedCollection[]): RecordSource {
  return { kind: 'entries', select: collections.map(selectRecords).join(' UNION ALL ') };
}

/** SELECT of a system column of all entries. */
export function selectEntries(
  collections: readonly CopiedCollection[],
  column: 'id' | '_translation_group',
): string {
  const selects = collections.map(({ slug }) => `SELECT ${column} FROM ${tableName(slug)}`);
  return selects.length > 0 ? selects.join(' UNION ALL ') : 'SELECT NULL::text WHERE false';
}

const tableName = (slug: string) => identifier(contentTableName(slug));

function selectRecords(collection: CopiedCollection): string {
  const computed: Readonly<Record<string, string>> = {
    collection: literal(collection.slug),
    values: values(collection),
    primaryBylineId: primaryGroup('t'),
    // Entries of an adopted table may name revisions that do not exist. They have no draft.
    draftRevisionId: `(SELECT r.id FROM revisions r WHERE r.id = t.draft_revision_id AND r.entry_id = t.id)`,
  };
  const columns = Object.keys(recordDefinitions.entries.schema.shape).map(
    (property) => `${computed[property] ?? systemValue(property)} AS ${identifier(property)}`,
  );
  return `SELECT ${columns.join(', ')} FROM ${tableName(collection.slug)} t`;
}

/** The property of an entry's record for a system column: "locale" for `_locale`, "createdAt" for `created_at`. */
export function propertyOf(column: string): string {
  return column.replace(/^_/, '').replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
}

function systemValue(property: string): string {
  const column = systemColumns.find(({ name }) => propertyOf(name) === property);
  if (!column) throw new Error(`Entries have no column for ${property}`);
  return column.type === 'timestamptz(3)' ? isoTextOf(`t.${column.name}`) : `t.${column.name}`;
}

/** The object of all field values. Functions take at most 100 arguments, rows take more columns. */
function values({ columns }: CopiedCollection): string {
  if (columns.length === 0) return `'{}'::json`;
  const selected = columns.map((field) => `${fieldValue(field)} AS ${identifier(field.slug)}`);
  return `(SELECT row_to_json(v) FROM (SELECT ${selected.join(', ')}) v)`;
}

/** The JSON text of a list of ids, as it is stored. Fields that took one id before may still have a bare one. */
export const isIdList = String.raw`^\[("[^"\\[:cntrl:]]*"(,"[^"\\[:cntrl:]]*")*)?\]$`;

/** SQL of a field's value as the API has it; json remains a text. */
function fieldValue(field: FieldDefinition): string {
  const column = `t.${identifier(field.slug)}`;
  switch (columnType(field.type)) {
    case 'smallint':
      return `${column} = 1`;
    case 'timestamptz(3)':
      return isoTextOf(column);
    case 'json':
      return `${column}::text`;
    case 'text':
      return allowsMultiple(field)
        ? `CASE WHEN ${column} ~ ${literal(isIdList)} THEN ${column}::json
             WHEN ${column} IS NOT NULL THEN json_build_array(${column}) END`
        : column;
    case 'jsonb':
    case 'double precision':
    case 'bigint':
      return column;
  }
}
