import type { Queryable } from '../connection/sql.js';
import {
  argumentsText,
  type SchemaDefinition,
  type TableDefinition,
  type TriggerDefinition,
} from './schema-definition.js';
import { assertSupported } from './unsupported-parts.js';

/** Rows of the catalog that belong to the current schema. */
const inSchema = (column: string) => `${column} = quote_ident(current_schema())::regnamespace`;

/**
 * Reads the definition of the schema of the statements, the only one in their search path: PostgreSQL then writes the
 * names of its tables without the schema.
 * @param sql a transaction, so that all parts are of the same moment
 * @throws UnsupportedSchemaError for a schema with parts that the definition would lose
 */
export async function readSchemaDefinition(sql: Queryable): Promise<SchemaDefinition> {
  const [place] = await sql.query<{ schema: string | null }>('SELECT current_schema() AS schema');
  if (!place?.schema) throw new Error('There is no schema to read a definition from');
  const { schema } = place;
  await assertSupported(sql, schema);
  const texts = async (statement: string) =>
    (await sql.query<{ text: string }>(statement)).map(({ text }) => text);
  return {
    schema,
    tables: await sql.query<TableDefinition>(tables),
    sequences: await texts(sequences),
    createTables: [...(await texts(createTables)), ...(await texts(setColumns)), ...(await texts(inherit))],
    createFunctions: (await texts(functions)).map((text) => withoutSchema(text, schema)),
    createRules: [
      ...(await texts(constraints)),
      ...(await texts(indexes)),
      ...(await texts(statistics)),
      ...(await texts(foreignKeys)),
    ],
    triggers: (await sql.query<TriggerRow>(triggers)).map(toTrigger),
  };
}

const tables = `
  SELECT c.relname::text AS name, c.relpersistence = 'u' AS "isUnlogged", ARRAY(
      SELECT a.attname::text FROM pg_attribute a
      WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum
    ) AS columns
  FROM pg_class c WHERE ${inSchema('c.relnamespace')} AND c.relkind = 'r' ORDER BY c.relname`;

const sequences = `
  SELECT c.relname::text AS text FROM pg_class c
  WHERE ${inSchema('c.relnamespace')} AND c.relkind = 'S' ORDER BY c.relname`;

/** From PostgreSQL 18 on NOT NULL has a name; older ones accept a name without storing it. */
const column = `
  format('%I %s', a.attname, format_type(a.atttypid, a.atttypmod))
  || CASE WHEN a.attcollation <> t.typcollation THEN ' COLLATE ' || a.attcollation::regcollation ELSE '' END
  || CASE a.attidentity WHEN '' THEN coalesce(' DEFAULT ' || pg_get_expr(d.adbin, d.adrelid), '')
    ELSE format(' GENERATED %s AS IDENTITY (SEQUENCE NAME %I)',
      CASE a.attidentity WHEN 'a' THEN 'ALWAYS' ELSE 'BY DEFAULT' END, (
        SELECT s.relname FROM pg_depend p JOIN pg_class s ON s.oid = p.objid
        WHERE p.classid = 'pg_class'::regclass AND p.refobjid = a.attrelid AND p.refobjsubid = a.attnum
          AND p.deptype = 'i'
      )) END
  || CASE WHEN a.attnotnull THEN coalesce((
      SELECT format(' CONSTRAINT %I', n.conname) FROM pg_constraint n
      WHERE n.contype = 'n' AND n.conrelid = a.attrelid AND n.conkey = ARRAY[a.attnum]
    ), '') || ' NOT NULL' ELSE '' END`;

const createTables = `
  SELECT format('CREATE %sTABLE %I (%s)', CASE c.relpersistence WHEN 'u' THEN 'UNLOGGED ' ELSE '' END, c.relname, (
      SELECT string_agg(${column}, ', ' ORDER BY a.attnum) FROM pg_attribute a
        JOIN pg_type t ON t.oid = a.atttypid
        LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
      WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    )) || coalesce(' WITH (' || (
      SELECT string_agg(o.setting, ', ' ORDER BY o.setting) FROM (
        SELECT unnest(c.reloptions) AS setting UNION ALL SELECT 'toast.' || unnest(toast.reloptions)
      ) o
    ) || ')', '') AS text
  FROM pg_class c LEFT JOIN pg_class toast ON toast.oid = c.reltoastrelid
  WHERE ${inSchema('c.relnamespace')} AND c.relkind = 'r' ORDER BY c.relname`;

const setColumns = `
  SELECT format('ALTER TABLE %I %s', c.relname, string_agg(s.setting, ', ' ORDER BY a.attnum, s.setting)) AS text
  FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    JOIN pg_type t ON t.oid = a.atttypid
    CROSS JOIN LATERAL (
      SELECT format('ALTER COLUMN %I SET STORAGE %s', a.attname,
          CASE a.attstorage WHEN 'p' THEN 'PLAIN' WHEN 'e' THEN 'EXTERNAL' WHEN 'm' THEN 'MAIN' ELSE 'EXTENDED' END)
        WHERE a.attstorage <> t.typstorage
      UNION ALL SELECT format('ALTER COLUMN %I SET STATISTICS %s', a.attname, a.attstattarget)
        WHERE coalesce(a.attstattarget, -1) <> -1
    ) s (setting)
  WHERE ${inSchema('c.relnamespace')} AND c.relkind = 'r' GROUP BY c.relname ORDER BY c.relname`;

const inherit = `
  SELECT format('ALTER TABLE %I INHERIT %s', c.relname, i.inhparent::regclass) AS text
  FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
  WHERE ${inSchema('c.relnamespace')} AND c.relkind = 'r' ORDER BY c.relname, i.inhseqno`;

const functions = `
  SELECT pg_get_functiondef(p.oid) AS text FROM pg_proc p
  WHERE ${inSchema('p.pronamespace')} ORDER BY p.proname, p.oid::regprocedure::text`;

const constraintsOf = (types: string) => `
  SELECT format('ALTER TABLE %I ADD CONSTRAINT %I %s', c.relname, k.conname, pg_get_constraintdef(k.oid)) AS text
  FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
  WHERE ${inSchema('c.relnamespace')} AND c.relkind = 'r' AND k.contype IN (${types}) ORDER BY c.relname, k.conname`;

const constraints = constraintsOf("'p', 'u', 'x', 'c'");
const foreignKeys = constraintsOf("'f'");

/** The pretty form is the one that leaves the schema out. */
const indexes = `
  SELECT pg_get_indexdef(i.indexrelid, 0, true) AS text FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
  WHERE ${inSchema('c.relnamespace')} AND NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conindid = i.indexrelid
    AND k.contype IN ('p', 'u', 'x'))
  ORDER BY c.relname`;

const statistics = `
  SELECT format('CREATE STATISTICS %I ON %s FROM %s', s.stxname, pg_get_statisticsobjdef_columns(s.oid),
      s.stxrelid::regclass) AS text
  FROM pg_statistic_ext s WHERE ${inSchema('s.stxnamespace')} ORDER BY s.stxname`;

interface TriggerRow {
  text: string;
  functionSchema: string | null;
  arguments: Buffer;
}

const triggers = `
  SELECT pg_get_triggerdef(t.oid, true) AS text, nullif(f.nspname, current_schema())::text AS "functionSchema",
    t.tgargs AS arguments
  FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_proc p ON p.oid = t.tgfoid
    JOIN pg_namespace f ON f.oid = p.pronamespace
  WHERE ${inSchema('c.relnamespace')} AND NOT t.tgisinternal ORDER BY c.relname, t.tgname`;

/** The catalog has the arguments as texts that each end with a zero byte. */
function toTrigger({ text, functionSchema, arguments: bytes }: TriggerRow): TriggerDefinition {
  const given = bytes.toString('utf8').split('\0').slice(0, -1);
  const end = `(${argumentsText(given)})`;
  if (!text.endsWith(end)) throw new Error(`Not the arguments of a trigger: ${text}`);
  return { text: text.slice(0, -end.length), functionSchema, arguments: given };
}

/**
 * A function is created in the schema of the search path, and keeps that path if it had the schema's. Its body names
 * the schema only as `"schema".`, which `schemaStatements` replaces.
 */
function withoutSchema(text: string, schema: string): string {
  const head = /^CREATE OR REPLACE FUNCTION (?:"[^"]+"|[^".]+)\./;
  const created = text
    .trimEnd()
    .replace(head, 'CREATE FUNCTION ')
    .replace(`\n SET search_path TO '${schema}'\n`, '\n SET search_path FROM CURRENT\n');
  const rest = created.replaceAll(`"${schema}".`, '');
  if (!head.test(text) || rest.includes(`'${schema}'`) || rest.includes(`${schema}.`))
    throw new Error(`A function names the schema ${schema} in a form that is not understood: ${text}`);
  return created;
}
