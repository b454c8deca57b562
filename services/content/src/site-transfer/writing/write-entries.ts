import { allowsMultiple, columnType, type FieldDefinition } from '@quire/content-model';
import { identifier, literal, type Queryable } from '@quire/database';
import { recordDefinitions } from '@quire/site-package';
import { contentTableName, systemColumns } from '../../schema/index.js';
import { selectCopiedCollections, type CopiedCollection } from '../copied-collections.js';
import { isIdList, propertyOf } from '../sources/entry-source.js';
import { groupRecords } from './group-records.js';

/**
 * Writes entries to the tables of their collections, the inverse of `entrySource`: one statement for each collection.
 * Entries that exist remain unchanged. No trigger of a subscriber runs before `finishSiteRecords`, unless the service
 * has subscribed to the collection itself.
 */
export async function writeEntries(sql: Queryable, records: readonly string[]): Promise<void> {
  const collections = new Map(
    (await selectCopiedCollections(sql)).map((collection) => [collection.slug, collection]),
  );
  for (const [slug, texts] of groupRecords(records, 'collection')) {
    const collection = collections.get(slug);
    if (!collection) throw new Error(`The collection ${slug} of the entries does not exist`);
    await sql.query(insertStatement(collection), [`[${texts.join(',')}]`]);
  }
}

/** A column of a table of entries, and the SQL of its value in record `r` with the field values `v`. */
interface WrittenColumn {
  name: string;
  value: string;
}

function insertStatement({ slug, columns }: CopiedCollection): string {
  const fields = columns.map((field) => ({ name: field.slug, value: columnValue(field) }));
  const written = [...systemValues(), ...fields];
  const names = written.map(({ name }) => identifier(name));
  return `INSERT INTO ${identifier(contentTableName(slug))} (${names.join(', ')})
    SELECT ${written.map(({ value }) => value).join(', ')} FROM ${recordset()}${fieldValues(columns)}
    ON CONFLICT DO NOTHING`;
}

/** The system columns, by the properties of records that have their values. */
function systemValues(): WrittenColumn[] {
  return systemColumns.map(({ name }) => {
    const property = propertyOf(name);
    if (!Object.hasOwn(recordDefinitions.entries.schema.shape, property))
      throw new Error(`Records of entries have no property for ${name}`);
    return { name, value: `r.${identifier(property)}` };
  });
}

function recordset(): string {
  const system = systemColumns.map(({ name, type }) => `${identifier(propertyOf(name))} ${type}`);
  return `json_to_recordset($1::json) AS r(${system.join(', ')}, "values" json)`;
}

/** The field values as columns of `v`, which are read as the types of `readType`. */
function fieldValues(columns: readonly FieldDefinition[]): string {
  if (columns.length === 0) return '';
  const definitions = columns.map((field) => `${identifier(field.slug)} ${readType(field)}`);
  return `, json_to_record(r."values") AS v(${definitions.join(', ')})`;
}

function readType(field: FieldDefinition): string {
  const type = columnType(field.type);
  if (type === 'smallint') return 'boolean';
  // The text of a json field is a string of the record.
  if (type === 'json') return 'text';
  return allowsMultiple(field) ? 'json' : type;
}

function columnValue(field: FieldDefinition): string {
  const value = `v.${identifier(field.slug)}`;
  const type = columnType(field.type);
  if (type === 'smallint') return `${value}::integer::smallint`;
  if (type === 'json') return `${value}::json`;
  return allowsMultiple(field) ? idListText(value) : value;
}

/**
 * The text of a list of ids, as fields store it. A single id that such a list would have to escape is stored as it is:
 * `entrySource` reads only lists without escapes.
 */
function idListText(list: string): string {
  return `(SELECT CASE WHEN l.count = 1 AND l.text !~ ${literal(isIdList)} THEN l.id ELSE l.text END
    FROM (SELECT '[' || coalesce(string_agg(to_json(i.id)::text, ',' ORDER BY i.position), '') || ']' AS text,
        count(*) AS count, min(i.id) AS id
      FROM json_array_elements_text(${list}) WITH ORDINALITY i(id, position)) l
    WHERE ${list} IS NOT NULL)`;
}
