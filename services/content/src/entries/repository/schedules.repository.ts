import { identifier, literal, type Queryable } from '@quire/database';
import { sharedSchema } from '@quire/tenancy';
import { defineWorkTable, exponentialBackoff, type ClaimOf } from '@quire/work-queue';

/** Table of the service's shared schema, for statements that run in a tenant's. */
export const schedulesTable = `${identifier(sharedSchema('content'))}.schedules`;

/** How long after the scheduled time the runner takes over from the delayed job. */
export const gracePeriodSeconds = 1;

/**
 * The time of publication is the version: an entry that is scheduled again is left to that schedule. Schedules are
 * written in the statement that changes the entry (write-entry.ts), so nothing is enqueued here.
 */
export const schedules = defineWorkTable<
  { tenantId: string; entryId: string },
  { collection: string; scheduledAt: string }
>({
  name: schedulesTable,
  key: { tenantId: 'tenant_id', entryId: 'entry_id' },
  payload: { collection: 'collection', scheduledAt: 'scheduled_at' },
  version: 'scheduledAt',
  leaseSeconds: 10,
  backoff: exponentialBackoff({ initialSeconds: 10, maxSeconds: 3600 }),
});

/** A missed publication that a runner has claimed. */
export type ClaimedSchedule = ClaimOf<typeof schedules>;

/** @returns the number of late publications, and by how many seconds the oldest is late */
export async function countOverdueSchedules(
  sql: Queryable,
  suspendedIds: readonly string[],
): Promise<{ count: number; oldestSeconds: number }> {
  const [row] = await sql.query<{ count: number; oldestSeconds: number }>(
    `SELECT count(*) AS count, coalesce(extract(epoch FROM now() - min(scheduled_at)), 0)::double precision AS "oldestSeconds"
     FROM schedules WHERE scheduled_at < now() - make_interval(secs => $1) AND tenant_id <> ALL($2)`,
    [gracePeriodSeconds, suspendedIds],
  );
  return row ?? { count: 0, oldestSeconds: 0 };
}

/** Schedules the publication of all entries of a table that have a time for it; a known schedule stays. */
export async function insertMissingSchedules(
  sql: Queryable,
  { tenantId, collection, table }: { tenantId: string; collection: string; table: string },
): Promise<void> {
  await sql.query(
    `INSERT INTO ${schedulesTable} (tenant_id, entry_id, collection, scheduled_at, due_at)
     SELECT $1, id, $2, scheduled_at, scheduled_at + make_interval(secs => ${gracePeriodSeconds})
     FROM ${identifier(table)} WHERE scheduled_at IS NOT NULL AND deleted_at IS NULL
     ON CONFLICT (tenant_id, entry_id) DO NOTHING`,
    [tenantId, collection],
  );
}

/**
 * Brings the schedules of a site in line with the times of its entries.
 * @param collections slugs with their tables
 * @returns the numbers of changed schedules
 */
export async function repairSchedules(
  sql: Queryable,
  tenantId: string,
  collections: readonly { slug: string; table: string }[],
): Promise<{ missing: number; outdated: number; extra: number }> {
  const wanted = collections.map(
    ({ slug, table }) =>
      `SELECT id, ${literal(slug)} AS collection, scheduled_at FROM ${identifier(table)}
       WHERE scheduled_at IS NOT NULL AND deleted_at IS NULL`,
  );
  const none =
    'SELECT NULL::text AS id, NULL::text AS collection, NULL::timestamptz AS scheduled_at WHERE false';
  const [changed] = await sql.query<{ missing: number; outdated: number; extra: number }>(
    `WITH wanted AS (${[none, ...wanted].join(' UNION ALL ')}), missing AS (
       INSERT INTO ${schedulesTable} (tenant_id, entry_id, collection, scheduled_at, due_at)
       SELECT $1, id, collection, scheduled_at, scheduled_at + make_interval(secs => ${gracePeriodSeconds}) FROM wanted
       ON CONFLICT (tenant_id, entry_id) DO NOTHING RETURNING 1
     ), outdated AS (
       UPDATE ${schedulesTable} s SET collection = w.collection, scheduled_at = w.scheduled_at,
         due_at = w.scheduled_at + make_interval(secs => ${gracePeriodSeconds}), attempts = 0
       FROM wanted w WHERE s.tenant_id = $1 AND s.entry_id = w.id
         AND (s.collection, s.scheduled_at) <> (w.collection, w.scheduled_at) RETURNING 1
     ), extra AS (
       DELETE FROM ${schedulesTable} s WHERE s.tenant_id = $1
         AND NOT EXISTS (SELECT FROM wanted w WHERE w.id = s.entry_id) RETURNING 1
     )
     SELECT (SELECT count(*) FROM missing) AS missing, (SELECT count(*) FROM outdated) AS outdated,
       (SELECT count(*) FROM extra) AS extra`,
    [tenantId],
  );
  return changed ?? { missing: 0, outdated: 0, extra: 0 };
}
