import type { Sql } from '@quire/database';
import type { RemovedDocument } from '../port/search-index.js';
import { tableOf, type IndexName } from '../tables/index-tables.js';

/**
 * Which version of each document was sent to Meilisearch last, or removed from it: Meilisearch takes what comes and compares
 * nothing. A table in the tenant's schema for each index. `is_sent` is false from the claim until Meilisearch has accepted it.
 */
export async function createLedger(db: Sql, index: IndexName): Promise<void> {
  await db.query(
    `CREATE TABLE IF NOT EXISTS ${tableOf('ledger', index)}
       (id text PRIMARY KEY, version bigint NOT NULL, is_removed boolean NOT NULL, is_sent boolean NOT NULL)`,
  );
}

/**
 * Notes that these are about to be sent. @returns ids of those to send: the others are older than what was sent or removed
 */
export async function claim(
  db: Sql,
  index: IndexName,
  documents: readonly RemovedDocument[],
  isRemoved: boolean,
): Promise<Set<string>> {
  const rows = await db.query<{ id: string }>(
    `INSERT INTO ${tableOf('ledger', index)} AS held (id, version, is_removed, is_sent)
     SELECT id, version, $3, false FROM unnest($1::text[], $2::bigint[]) AS given (id, version) ORDER BY id
     ON CONFLICT (id) DO UPDATE SET version = excluded.version, is_removed = excluded.is_removed, is_sent = false
     WHERE held.version <= excluded.version RETURNING id`,
    [documents.map(({ id }) => id), documents.map(({ version }) => version), isRemoved],
  );
  return new Set(rows.map(({ id }) => id));
}

/** Notes that these were sent. @returns ids of which something else was claimed meanwhile: which came last is not known */
export async function noteSent(
  db: Sql,
  index: IndexName,
  documents: readonly RemovedDocument[],
  isRemoved: boolean,
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `UPDATE ${tableOf('ledger', index)} AS held SET is_sent = true
     FROM unnest($1::text[], $2::bigint[]) AS sent (id, version)
     WHERE held.id = sent.id AND held.version = sent.version AND held.is_removed = $3 RETURNING held.id`,
    [documents.map(({ id }) => id), documents.map(({ version }) => version), isRemoved],
  );
  const noted = new Set(rows.map(({ id }) => id));
  return documents.map(({ id }) => id).filter((id) => !noted.has(id));
}

/** Documents that Meilisearch has accepted and not been told to remove. */
export async function countSent(db: Sql, index: IndexName): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `SELECT count(*) AS count FROM ${tableOf('ledger', index)} WHERE is_sent AND NOT is_removed`,
  );
  return row?.count ?? 0;
}
