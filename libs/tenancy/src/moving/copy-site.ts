import {
  allowLongStatements,
  identifier,
  inSchemaSnapshot,
  readRows,
  readSchemaDefinition,
  readSequences,
  writeRows,
  writeSequences,
  type Queryable,
  type TableDefinition,
  type TransactionalDatabase,
} from '@quire/database';
import { siteStatements } from '../provisioning/site-definition.js';
import type { Tenant } from '../registry/tenant.js';
import { withoutWriteGuard } from './write-guard.js';

/** What was copied: rows and bytes in PostgreSQL's text format. */
export interface CopiedSite {
  tables: number;
  rows: number;
  bytes: number;
}

/**
 * Copies the tables of a site with their rows, sequences and statistics into an empty schema, as a whole or not at all.
 * @param source the schema of the site, which nothing changes until the end
 * @param target the empty schema, as the role that owns it
 * @param tenant the site of the target
 * @throws Error when a table of the copy has another number of rows
 */
export function copySite(
  source: TransactionalDatabase,
  target: TransactionalDatabase,
  tenant: Pick<Tenant, 'id'>,
): Promise<CopiedSite> {
  return inSchemaSnapshot(source, (from) =>
    target.transaction(async (to) => {
      await allowLongStatements(to);
      const definition = withoutWriteGuard(await readSchemaDefinition(from));
      const { tables, sequences } = definition;
      const { beforeRows, afterRows } = siteStatements(definition, tenant);
      const counts = await countRows(from, tables);
      let bytes = 0;
      await to.query(beforeRows.join(';\n'));
      for (const table of tables.filter(({ name }) => counts.get(name) !== 0))
        await writeRows(
          to,
          table,
          counted(readRows(from, table), (length) => (bytes += length)),
        );
      await writeSequences(to, await readSequences(from, sequences));
      await to.query(afterRows.join(';\n'));
      compareCounts(counts, await countRows(to, tables));
      const rows = [...counts.values()].reduce((sum, count) => sum + count, 0);
      // The planner knows the tables from the first request on.
      if (tables.length > 0)
        await to.query(`ANALYZE ${tables.map(({ name }) => identifier(name)).join(', ')}`);
      return { tables: tables.length, rows, bytes };
    }),
  );
}

async function* counted(
  chunks: AsyncIterable<Buffer>,
  onChunk: (length: number) => void,
): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    onChunk(chunk.length);
    yield chunk;
  }
}

function compareCounts(before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>): void {
  for (const [name, count] of before)
    if (after.get(name) !== count)
      throw new Error(`The copy of ${name} has ${after.get(name)} rows instead of ${count}`);
}

async function countRows(sql: Queryable, tables: readonly TableDefinition[]): Promise<Map<string, number>> {
  const counts = tables.map(
    ({ name }, index) => `SELECT $${index + 1}::text AS name, count(*) FROM ${identifier(name)}`,
  );
  if (counts.length === 0) return new Map();
  const rows = await sql.query<{ name: string; count: number }>(
    counts.join(' UNION ALL '),
    tables.map(({ name }) => name),
  );
  return new Map(rows.map(({ name, count }) => [name, count]));
}
