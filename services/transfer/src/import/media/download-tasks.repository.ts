import { randomUUID } from 'node:crypto';
import { identifier, type Queryable, type TransactionalDatabase } from '@quire/database';
import { sharedSchema } from '@quire/tenancy';
import { defineLeasedWorkTable, exponentialBackoff, type ClaimOf } from '@quire/work-queue';

const schema = identifier(sharedSchema('transfer'));
const tasks = `${schema}.media_download_tasks`;
const hosts = `${schema}.media_download_hosts`;

/** Requests to one host at a time for one site, of all workers together. */
export const maxSlots = 8;
/** Downloads that a worker leases together, to make them in one slot. */
const downloadsPerSlot = 16;
/** A worker extends its leases while it downloads; one that dies delays its downloads by no more. */
export const leaseSeconds = 60;
/** A download is given up by its tries, not by its claims: outages of the installation are waited for. */
const maxAttempts = 1_000_000;
/** Hosts that one claim takes downloads of. */
const hostsPerClaim = 8;
/** A host that did not respond to so many attempts, for so long, is down. */
const downAfter = { attempts: 10, seconds: 60 };
/** The time of the statement in the precision of the columns. */
const now = 'now()::timestamptz(3)';

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

/** A download that this worker has leased. Those of one slot have the same token. */
export type LeasedDownload = ClaimOf<typeof downloadTasks> & {
  /** Requests to the host that may run at a time now. */
  slots: number;
  /** Attempts since the host last responded. */
  failures: number;
};

/** Downloads of one host that a worker makes one after the other. */
export interface LeasedSlot {
  token: string;
  tenantId: string;
  host: string;
  downloads: readonly LeasedDownload[];
}

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

/**
 * Leases slots of hosts with due downloads, of the site and host that had to wait longest. The rows of the hosts are
 * locked first, and the used slots are counted after that: no two workers count the same free slot.
 * @param limit maximum number of slots
 */
export async function claimSlots(database: TransactionalDatabase, limit: number): Promise<LeasedSlot[]> {
  const claimed = await database.transaction(async (tx) => {
    const open = await tx.query<{ tenantId: string; host: string }>({
      prepared: true,
      text: `SELECT tenant_id AS "tenantId", host FROM ${hosts} h
        WHERE blocked_until <= ${now} AND slots > ${countUsedSlots('h')}
          AND EXISTS (SELECT FROM ${tasks} t WHERE t.tenant_id = h.tenant_id AND t.host = h.host AND t.due_at <= ${now})
        ORDER BY claimed_at LIMIT ${hostsPerClaim} FOR UPDATE SKIP LOCKED`,
    });
    if (open.length === 0) return [];
    const [tenantIds, names] = [open.map(({ tenantId }) => tenantId), open.map(({ host }) => host)];
    return tx.query<LeasedDownload>({
      prepared: true,
      text: claimStatement,
      values: [tenantIds, names, limit, randomUUID()],
    });
  });
  const slots = new Map<string, LeasedSlot & { downloads: LeasedDownload[] }>();
  for (const download of claimed) {
    const { token, tenantId, host } = download;
    const slot = slots.get(token) ?? { token, tenantId, host, downloads: [] };
    slots.set(token, slot);
    slot.downloads.push(download);
  }
  return [...slots.values()];
}

/** SQL of the number of slots of a host with valid leases. @param host alias of its row */
function countUsedSlots(host: string): string {
  return `(SELECT count(DISTINCT l.lease_token) FROM ${tasks} l WHERE l.tenant_id = ${host}.tenant_id
    AND l.host = ${host}.host AND l.lease_token IS NOT NULL AND l.lease_expires_at > ${now})`;
}

/** The first hosts share the slots that the worker has free; the others wait, before those. */
const claimStatement = `WITH open AS (
    SELECT h.*, place, greatest(0, h.slots - ${countUsedSlots('h')}) AS free
    FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS locked (tenant_id, host, place)
    JOIN ${hosts} h USING (tenant_id, host)
  ), shares AS (
    SELECT *, greatest(0, least(free, $3 - sum(free) OVER (ORDER BY place) + free))::integer AS share FROM open
  ), turns AS (
    UPDATE ${hosts} h SET claimed_at = now() FROM shares s
    WHERE s.share > 0 AND h.tenant_id = s.tenant_id AND h.host = s.host
  ), due AS (
    SELECT t.*, s.slots, s.failures, concat_ws(':', $4::text, s.place,
      row_number() OVER (PARTITION BY s.place ORDER BY t.due_at, t.number) % s.share) AS token
    FROM shares s CROSS JOIN LATERAL (
      SELECT tenant_id, import_id, number, due_at FROM ${tasks} d
      WHERE d.tenant_id = s.tenant_id AND d.host = s.host AND d.due_at <= ${now}
      ORDER BY d.due_at LIMIT s.share * ${downloadsPerSlot} FOR UPDATE SKIP LOCKED
    ) t WHERE s.share > 0
  )
  UPDATE ${tasks} w SET state = 'leased', attempts = w.attempts + 1, lease_token = due.token,
    lease_expires_at = now() + make_interval(secs => ${leaseSeconds}),
    due_at = now() + make_interval(secs => ${leaseSeconds}), updated_at = now()
  FROM due WHERE w.tenant_id = due.tenant_id AND w.import_id = due.import_id AND w.number = due.number
  RETURNING ${downloadTasks.leaseColumns}, due.slots, due.failures`;

/** Extends the leases of a slot. @returns false when all are lost, or their downloads have ended */
export async function extendSlot(sql: Queryable, { tenantId, host, token }: LeasedSlot): Promise<boolean> {
  const extended = await sql.query(
    `UPDATE ${tasks} SET lease_expires_at = now() + make_interval(secs => ${leaseSeconds}),
       due_at = now() + make_interval(secs => ${leaseSeconds}), updated_at = now()
     WHERE tenant_id = $1 AND host = $2 AND lease_token = $3 RETURNING 1`,
    [tenantId, host, token],
  );
  return extended.length > 0;
}

/** SQL of the keys and tokens of leases, from `leaseValues`. */
const leases = `unnest($1::text[], $2::text[], $3::integer[], $4::text[])
  AS leased (tenant_id, import_id, number, token)`;
const isHeld = `w.tenant_id = leased.tenant_id AND w.import_id = leased.import_id AND w.number = leased.number
  AND w.lease_token = leased.token`;
const leaseValues = (leased: readonly LeasedDownload[]) => [
  leased.map(({ tenantId }) => tenantId),
  leased.map(({ importId }) => importId),
  leased.map(({ number }) => number),
  leased.map(({ token }) => token),
];

/** Returns leased downloads that were not begun: they are due, and this lease does not count as an attempt. */
export async function releaseDownloads(sql: Queryable, leased: readonly LeasedDownload[]): Promise<void> {
  if (leased.length === 0) return;
  await sql.query({
    prepared: true,
    text: `UPDATE ${tasks} w SET state = 'pending', attempts = w.attempts - 1, due_at = now(), lease_token = NULL,
        lease_expires_at = NULL, updated_at = now()
      FROM ${leases} WHERE ${isHeld}`,
    values: leaseValues(leased),
  });
}

/**
 * Deletes downloads that are done, in the transaction that writes their results.
 * @returns those whose lease is not lost: nothing may be written of the others
 */
export async function completeDownloads<Leased extends LeasedDownload>(
  tx: Queryable,
  leased: readonly Leased[],
): Promise<Leased[]> {
  const held = await tx.query<{ importId: string; number: number }>({
    prepared: true,
    text: `DELETE FROM ${tasks} w USING ${leases} WHERE ${isHeld}
      RETURNING w.import_id AS "importId", w.number`,
    values: leaseValues(leased),
  });
  const keys = new Set(held.map(downloadKey));
  return leased.filter((each) => keys.has(downloadKey(each)));
}

/** A text that identifies a download among those of its site. */
export const downloadKey = ({ importId, number }: { importId: string; number: number }) =>
  `${importId}/${number}`;

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
