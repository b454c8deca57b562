import type { Queryable } from '@quire/database';
import type { RemovedDocument } from '../port/search-index.js';
import { tableOf, type IndexName } from '../tables/index-tables.js';

/**
 * The version of each document that was last sent to Meilisearch, or removed from it: Meilisearch accepts everything
 * and compares nothing. Each index has a table in the tenant's schema. `is_sent` is false from the claim until
 * Meilisearch has accepted the version.
 */
export async function createVersionsTable(db: Queryable, index: IndexName): Promise<void> {
  await db.query(
    `CREATE TABLE IF NOT EXISTS ${tableOf('ledger', index)}
       (id text PRIMARY KEY, version bigint NOT NULL, views smallint NOT NULL, is_removed boolean NOT NULL,
        is_sent boolean NOT NULL)`,
  );
}

/** A document to send or, with no views, to remove. */
export interface DocumentVersion extends RemovedDocument {
  views: number;
}

/**
 * Records versions that are about to be sent.
 * @returns the versions to send, with whether the document existed before: the others are older than a version that was
 *   sent or removed
 */
export async function claim(
  db: Queryable,
  index: IndexName,
  documents: readonly DocumentVersion[],
): Promise<Map<string, { isReplaced: boolean }>> {
  const rows = await db.query<{ id: string; isReplaced: boolean }>(
    `INSERT INTO ${tableOf('ledger', index)} AS stored (id, version, views, is_removed, is_sent)
     SELECT id, version, views, views = 0, false
     FROM unnest($1::text[], $2::bigint[], $3::smallint[]) AS given (id, version, views) ORDER BY id
     ON CONFLICT (id) DO UPDATE SET version = excluded.version, views = excluded.views,
       is_removed = excluded.is_removed, is_sent = false
     WHERE stored.version <= excluded.version RETURNING id, xmax <> 0 AS "isReplaced"`,
    [
      documents.map(({ id }) => id),
      documents.map(({ version }) => version),
      documents.map(({ views }) => views),
    ],
  );
  return new Map(rows.map(({ id, isReplaced }) => [id, { isReplaced }]));
}

/**
 * Records that these versions were sent.
 * @returns ids with another claim since: their order of arrival is unknown
 */
export async function markSent(
  db: Queryable,
  index: IndexName,
  documents: readonly DocumentVersion[],
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `UPDATE ${tableOf('ledger', index)} AS stored SET is_sent = true
     FROM unnest($1::text[], $2::bigint[], $3::boolean[]) AS sent (id, version, is_removed)
     WHERE stored.id = sent.id AND stored.version = sent.version AND stored.is_removed = sent.is_removed
     RETURNING stored.id`,
    [
      documents.map(({ id }) => id),
      documents.map(({ version }) => version),
      documents.map(({ views }) => views === 0),
    ],
  );
  const noted = new Set(rows.map(({ id }) => id));
  return documents.map(({ id }) => id).filter((id) => !noted.has(id));
}

/** Number of views that Meilisearch has accepted and that were not removed since. */
export async function countSent(db: Queryable, index: IndexName): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `SELECT coalesce(sum(views), 0)::integer AS count FROM ${tableOf('ledger', index)}
     WHERE is_sent AND NOT is_removed`,
  );
  return row?.count ?? 0;
}
