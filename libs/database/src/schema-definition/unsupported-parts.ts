import type { Queryable } from '../connection/sql.js';

/** A schema has a part that `readSchemaDefinition` would lose. The message names the parts. */
export class UnsupportedSchemaError extends Error {
  constructor(schema: string, parts: readonly string[]) {
    super(`The schema ${schema} cannot be copied, because it has ${parts.join(', ')}`);
    this.name = 'UnsupportedSchemaError';
  }
}

/**
 * Parts of the current schema that no migration and no collection creates, and that its definition does not describe.
 * The dependencies of the schema have each object in it, those of unknown kinds too.
 */
const unsupportedParts = `
  WITH site AS (SELECT quote_ident(current_schema())::regnamespace::oid AS oid),
  relation AS (SELECT c.* FROM pg_class c, site WHERE c.relnamespace = site.oid)
  SELECT pg_describe_object(d.classid, d.objid, 0) AS part FROM pg_depend d, site
    WHERE d.refclassid = 'pg_namespace'::regclass AND d.refobjid = site.oid AND d.classid NOT IN
      ('pg_class'::regclass, 'pg_proc'::regclass, 'pg_statistic_ext'::regclass)
  UNION ALL SELECT pg_describe_object('pg_class'::regclass, r.oid, 0) FROM relation r
    WHERE relkind NOT IN ('r', 'i', 'S') OR relispartition OR reloftype <> 0
      OR relkind = 'S' AND NOT EXISTS (
        SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = r.oid AND d.deptype = 'i')
  UNION ALL SELECT 'row-level security of ' || relname FROM relation WHERE relrowsecurity OR relforcerowsecurity
  UNION ALL SELECT 'a tablespace of ' || relname FROM relation WHERE reltablespace <> 0
  UNION ALL SELECT 'a replica identity of ' || relname FROM relation WHERE relkind = 'r' AND relreplident <> 'd'
  UNION ALL SELECT 'an access method of ' || relname FROM relation JOIN pg_am m ON m.oid = relam
    WHERE relkind = 'r' AND amname <> 'heap'
  UNION ALL SELECT 'rules of ' || relname FROM relation WHERE relkind = 'r' AND relhasrules
  UNION ALL SELECT 'grants on ' || relname FROM relation WHERE relacl IS NOT NULL
    OR EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = relation.oid AND a.attacl IS NOT NULL)
  UNION ALL SELECT 'comments on ' || relname FROM relation
    WHERE EXISTS (SELECT FROM pg_description d WHERE d.classoid = 'pg_class'::regclass AND d.objoid = relation.oid)
  UNION ALL SELECT format('settings of the column %s.%s', relname, attname)
    FROM relation JOIN pg_attribute a ON a.attrelid = relation.oid AND a.attnum > 0 AND NOT a.attisdropped
    WHERE attgenerated <> '' OR attcompression <> '' OR attoptions IS NOT NULL
      OR relkind = 'i' AND coalesce(attstattarget, -1) <> -1
  UNION ALL SELECT 'settings of the sequence ' || relname FROM relation JOIN pg_sequence s ON s.seqrelid = relation.oid
    WHERE (seqstart, seqincrement, seqmin, seqcache, seqcycle) <> (1, 1, 1, 1, false)
  UNION ALL SELECT 'an incomplete or special index ' || relname FROM relation JOIN pg_index i ON i.indexrelid = relation.oid
    WHERE NOT indisvalid OR indisclustered OR indisreplident
  UNION ALL SELECT 'the constraint ' || conname FROM relation JOIN pg_constraint k ON k.conrelid = relation.oid
    WHERE NOT convalidated OR NOT conislocal OR contype NOT IN ('p', 'u', 'x', 'c', 'f', 'n', 't')
  UNION ALL SELECT 'a setting of the statistics ' || stxname FROM pg_statistic_ext, site
    WHERE stxnamespace = site.oid
      AND (coalesce(stxstattarget, -1) <> -1 OR NOT (stxkind = '{e}' OR stxkind @> '{d,f,m}'))
  UNION ALL SELECT 'the disabled trigger ' || tgname FROM relation JOIN pg_trigger t ON t.tgrelid = relation.oid
    WHERE tgenabled <> 'O'
  UNION ALL SELECT 'the kind, the grants or a comment of the function ' || proname FROM pg_proc p, site
    WHERE p.pronamespace = site.oid AND (prokind <> 'f' OR proacl IS NOT NULL
      OR EXISTS (SELECT FROM pg_description d WHERE d.classoid = 'pg_proc'::regclass AND d.objoid = p.oid))
  ORDER BY part`;

/** @throws UnsupportedSchemaError when the current schema has parts that a definition does not describe */
export async function assertSupported(sql: Queryable, schema: string): Promise<void> {
  const parts = await sql.query<{ part: string }>(unsupportedParts);
  if (parts.length > 0)
    throw new UnsupportedSchemaError(
      schema,
      parts.map(({ part }) => part),
    );
}
