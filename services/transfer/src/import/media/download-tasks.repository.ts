import { identifier, type Queryable, type TransactionalDatabase } from '@quire/database';
import { sharedSchema } from '@quire/tenancy';
import { defineLeasedWorkTable, exponentialBackoff } from '@quire/work-queue';

const schema = identifier(sharedSchema('transfer'));
export const tasks = `${schema}.media_download_tasks`;
export const hosts = `${schema}.media_download_hosts`;

/** Requests to one host at a time for one site, of all workers together. */
export const maxSlots = 8;
/** A worker extends its leases while it downloads; one that dies delays its downloads by no more. */
export const leaseSeconds = 60;
/** A download is given up by its tries, not by its claims: outages of the installation are waited for. */
const maxAttempts = 1_000_000;
/** A host that did not respond to so many attempts, for so long, is down. */
const downAfter = { attempts: 10, seconds: 60 };
/** The time of the statement in the precision of the columns. */
export const now = 'now()::timestamptz(3)';

/** Downloads to make, across tenants. */
export const downloadTasks = defineLeasedWorkTable<
  { tenantId: string; importId: string; number: number },
  { host: string }
>({
  name: tasks,
  key: { tenantId: 'tenant_id', importId: 'import_id', number: 'number' },
  payload: { host: 'host' },
  leaseSeconds,
  maxAttempts,
  backoff: exponentialBackoff({ initialSeconds: 1, maxSeconds: 60 }),
});

/**
 * Requests downloads, in the transaction of their rows.
 * @param downloads numbers of the downloads of each host
 */
export async function enqueueDownloads(
  tx: Queryable,
  { tenantId, importId }: { tenantId: string; importId: string },
  downloads: readonly { number: number; host: string }[],
): Promise<void> {
  const hostNames = [...new Set(downloads.map(({ host }) => host))].sort();
  // Locks the hosts: `removeIdleHosts` keeps those whose downloads are not committed yet.
  await tx.query(
    `INSERT INTO ${hosts} (tenant_id, host, slots) SELECT $1, host, $3 FROM unnest($2::text[]) host
     ON CONFLICT (tenant_id, host) DO UPDATE SET host = excluded.host`,
    [tenantId, hostNames, maxSlots],
  );
  await tx.query(
    `INSERT INTO ${tasks} (tenant_id, import_id, number, host)
     SELECT $1, $2, number, host FROM unnest($3::integer[], $4::text[]) AS t (number, host)`,
    [tenantId, importId, downloads.map(({ number }) => number), downloads.map(({ host }) => host)],
  );
}

/** Requests the downloads of a site that are to be made and have no task. @returns their number */
export async function requestForgottenDownloads(tx: Queryable, tenantId: string): Promise<number> {
  const forgotten = await tx.query<{ importId: string; number: number; url: string }>(
    `SELECT import_id AS "importId", number, url FROM media_downloads d
     WHERE state IN ('pending', 'downloading', 'uploading') AND same_as IS NULL
       AND NOT EXISTS (SELECT FROM ${tasks} t
         WHERE t.tenant_id = $1 AND t.import_id = d.import_id AND t.number = d.number)
     ORDER BY import_id, number`,
    [tenantId],
  );
  for (const importId of new Set(forgotten.map((each) => each.importId))) {
    const downloads = forgotten.filter((each) => each.importId === importId);
    await enqueueDownloads(
      tx,
      { tenantId, importId },
      downloads.map(({ number, url }) => ({ number, host: new URL(url).hostname })),
    );
  }
  return forgotten.length;
}

/** Deletes all downloads of an import that are not made yet, also leased ones: their workers write nothing then. */
export async function cancelDownloads(
  tx: Queryable,
  { tenantId, importId }: { tenantId: string; importId: string },
): Promise<void> {
  await tx.query(`DELETE FROM ${tasks} WHERE tenant_id = $1 AND import_id = $2`, [tenantId, importId]);
}

/**
 * After a host's 429 or 503: half as many of its downloads run at a time.
 * @param waitSeconds the host's Retry-After; no download of the host begins until then
 */
export async function throttleHost(
  sql: Queryable,
  { tenantId, host }: { tenantId: string; host: string },
  waitSeconds = 0,
): Promise<void> {
  await sql.query(
    `UPDATE ${hosts} SET slots = greatest(1, slots / 2),
       blocked_until = greatest(blocked_until, now() + make_interval(secs => $3))
     WHERE tenant_id = $1 AND host = $2`,
    [tenantId, host, waitSeconds],
  );
}

/** After a response of a host. @param moreSlots how many more of its downloads may run at a time */
export async function recordResponse(
  sql: Queryable,
  { tenantId, host }: { tenantId: string; host: string },
  moreSlots: 0 | 1,
): Promise<void> {
  await sql.query(
    `UPDATE ${hosts} SET slots = least(${maxSlots}, slots + $3), failures = 0, failing_since = NULL
     WHERE tenant_id = $1 AND host = $2`,
    [tenantId, host, moreSlots],
  );
}

/**
 * After an attempt to which the host did not respond.
 * @returns whether it has not responded to several ones for a while: thousands would wait for their timeouts
 */
export async function recordSilence(
  sql: Queryable,
  { tenantId, host }: { tenantId: string; host: string },
): Promise<boolean> {
  const [row] = await sql.query<{ isDown: boolean }>(
    `UPDATE ${hosts} SET failures = failures + 1, failing_since = coalesce(failing_since, now())
     WHERE tenant_id = $1 AND host = $2
     RETURNING failures >= $3 AND failing_since <= now() - make_interval(secs => $4) AS "isDown"`,
    [tenantId, host, downAfter.attempts, downAfter.seconds],
  );
  return row?.isDown ?? false;
}

/** Deletes the downloads of a host, also leased ones. @returns them */
export function cancelHost(
  tx: Queryable,
  { tenantId, host }: { tenantId: string; host: string },
): Promise<{ importId: string; number: number }[]> {
  return tx.query(
    `DELETE FROM ${tasks} WHERE tenant_id = $1 AND host = $2 RETURNING import_id AS "importId", number`,
    [tenantId, host],
  );
}

/** Forgets hosts without downloads. */
export async function removeIdleHosts(database: TransactionalDatabase): Promise<void> {
  const isIdle = (host: string) =>
    `NOT EXISTS (SELECT FROM ${tasks} t WHERE t.tenant_id = ${host}.tenant_id AND t.host = ${host}.host)`;
  await database.transaction(async (tx) => {
    const idle = await tx.query<{ tenantId: string; host: string }>(
      `SELECT tenant_id AS "tenantId", host FROM ${hosts} h WHERE ${isIdle('h')} LIMIT 100 FOR UPDATE SKIP LOCKED`,
    );
    if (idle.length === 0) return;
    // The second statement sees downloads that were committed before the lock.
    await tx.query(
      `DELETE FROM ${hosts} h USING unnest($1::text[], $2::text[]) AS idle (tenant_id, host)
       WHERE h.tenant_id = idle.tenant_id AND h.host = idle.host AND ${isIdle('h')}`,
      [idle.map(({ tenantId }) => tenantId), idle.map(({ host }) => host)],
    );
  });
}
