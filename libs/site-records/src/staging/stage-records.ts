import { beginStableRead, identifier, type Transaction, type TransactionalDatabase } from '@quire/database';
import { recordDefinitions, type RecordKind } from '@quire/site-package';
import type { RecordSource } from './record-source.js';

/** Records by kind; kinds without records are absent. */
export type RecordCounts = Partial<Record<RecordKind, number>>;

/**
 * Copies the records of all sources, as they are at one instant, for reading in bounded steps. A repetition replaces
 * the copies. Users whom the records name become records of the kind `principals` with nothing but their id.
 * @param listSources the sources; called in the transaction, so that it sees the same instant
 */
export async function stageRecords(
  db: TransactionalDatabase,
  operationId: string,
  listSources: (tx: Transaction) => Promise<readonly RecordSource[]>,
): Promise<RecordCounts> {
  return db.transaction(async (tx) => {
    await beginStableRead(tx);
    await tx.query('DELETE FROM staged_records WHERE operation_id = $1', [operationId]);
    const sources = await listSources(tx);
    const counts: RecordCounts = {};
    for (const source of sources) {
      const count = await stageSource(tx, operationId, source);
      if (count > 0) counts[source.kind] = count;
    }
    await stagePrincipals(tx, operationId, sources);
    return counts;
  });
}

async function stageSource(
  tx: Transaction,
  operationId: string,
  { kind, select }: RecordSource,
): Promise<number> {
  const key = recordDefinitions[kind].key.map((property) => `r.${identifier(property)}`).join(", '/', ");
  // A line feed outside of strings is white space between tokens; inside of them JSON escapes it.
  const [row] = await tx.query<{ count: number }>(
    `WITH staged AS (
       INSERT INTO staged_records (operation_id, kind, position, record)
       SELECT $1, $2, row_number() OVER (ORDER BY concat(${key}) COLLATE "C"),
         translate(row_to_json(r)::text, E'\\n\\r', '  ')
       FROM (${select}) r
       RETURNING 1)
     SELECT count(*)::int AS count FROM staged`,
    [operationId, kind],
  );
  return row?.count ?? 0;
}

async function stagePrincipals(
  tx: Transaction,
  operationId: string,
  sources: readonly RecordSource[],
): Promise<void> {
  const named = sources.flatMap(({ kind, select }) =>
    recordDefinitions[kind].principals.map(
      (property) => `SELECT r.${identifier(property)} AS id FROM (${select}) r`,
    ),
  );
  if (named.length === 0) return;
  await tx.query(
    `INSERT INTO staged_records (operation_id, kind, position, record)
     SELECT $1, 'principals', row_number() OVER (ORDER BY id COLLATE "C"), json_build_object('id', id)::text
     FROM (${named.join(' UNION ')}) p WHERE id IS NOT NULL`,
    [operationId],
  );
}
