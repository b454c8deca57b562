import {
  columnOf,
  identifier,
  tableOf,
  type EntityClass,
  type EntityColumn,
  type Queryable,
} from '@quire/database';
import { parentProperties, recordDefinitions, type RecordKind } from '@quire/site-package';

/** Records of one kind, in one of the two passes of an import. */
export interface RecordBatch {
  /** JSON texts of one record each. */
  records: readonly string[];
  /**
   * `records`: writes the records, without references to records of their own kind. `parents`: writes those references,
   * once all records of the kind exist.
   */
  pass: 'records' | 'parents';
}

interface WriteOptions {
  /** Properties of the entity that the records do not define and that the caller has added to their texts. */
  added?: readonly string[];
  /** SQL of properties whose value is not that of the record, by name; the record's alias is `r`. */
  computed?: Readonly<Record<string, string>>;
  /** Whether a record replaces one with the same key; otherwise that one remains unchanged. */
  replaces?: boolean;
}

/**
 * Writes records to an entity's table with one statement, the inverse of `recordsOf`: ids, times and numbers are those
 * of the records, columns that no record has get their defaults. Json is stored as the records have it. Repetitions
 * change nothing.
 * @returns the number of records that were written
 * @throws Error for a property that the entity lacks, and the database's error for a record that breaks a rule of the
 *   table
 */
export async function writeRecords(
  sql: Queryable,
  kind: RecordKind,
  entity: EntityClass,
  { records, pass }: RecordBatch,
  options: WriteOptions = {},
): Promise<number> {
  const parents = parentProperties(kind);
  if (records.length === 0 || (pass === 'parents' && parents.length === 0)) return 0;
  const statement =
    pass === 'records'
      ? insertStatement(kind, entity, parents, options)
      : parentStatement(kind, entity, parents);
  const [row] = await sql.query<{ count: number }>(
    `WITH written AS (${statement} RETURNING 1) SELECT count(*)::int AS count FROM written`,
    [`[${records.join(',')}]`],
  );
  return row?.count ?? 0;
}

function insertStatement(
  kind: RecordKind,
  entity: EntityClass,
  parents: readonly string[],
  { added = [], computed = {}, replaces = false }: WriteOptions,
): string {
  const { schema, key } = recordDefinitions[kind];
  const properties = new Set([...Object.keys(schema.shape), ...added, ...Object.keys(computed)]);
  const columns = [...properties]
    .filter((property) => !parents.includes(property))
    .map((property) => columnOf(entity, property));
  const names = columns.map(({ name }) => identifier(name));
  const values = columns.map(({ property }) => computed[property] ?? `r.${identifier(property)}`);
  return `INSERT INTO ${tableOf(entity)} (${names.join(', ')})
    SELECT ${values.join(', ')} FROM ${recordset(columns)}
    ON CONFLICT ${replaces ? replacement(entity, key, names) : 'DO NOTHING'}`;
}

function replacement(entity: EntityClass, key: readonly string[], names: readonly string[]): string {
  const keyNames = key.map((property) => identifier(columnOf(entity, property).name));
  const assignments = names
    .filter((name) => !keyNames.includes(name))
    .map((name) => `${name} = EXCLUDED.${name}`);
  return `(${keyNames.join(', ')}) DO UPDATE SET ${assignments.join(', ')}`;
}

function parentStatement(kind: RecordKind, entity: EntityClass, parents: readonly string[]): string {
  const keys = recordDefinitions[kind].key.map((property) => columnOf(entity, property));
  const columns = parents.map((property) => columnOf(entity, property));
  const assignments = columns.map(({ name, property }) => `${identifier(name)} = r.${identifier(property)}`);
  const isSame = keys.map(({ name, property }) => `t.${identifier(name)} = r.${identifier(property)}`);
  const isMissing = columns.map(
    ({ name, property }) => `t.${identifier(name)} IS DISTINCT FROM r.${identifier(property)}`,
  );
  return `UPDATE ${tableOf(entity)} t SET ${assignments.join(', ')} FROM ${recordset([...keys, ...columns])}
    WHERE ${isSame.join(' AND ')} AND (${isMissing.join(' OR ')})`;
}

/** The records of parameter 1 as rows `r`. */
function recordset(columns: readonly EntityColumn[]): string {
  const definitions = columns.map(({ property, type }) => `${identifier(property)} ${type}`);
  return `json_to_recordset($1::json) AS r(${definitions.join(', ')})`;
}
