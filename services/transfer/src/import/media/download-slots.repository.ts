import { randomUUID } from 'node:crypto';
import type { Queryable, TransactionalDatabase } from '@quire/database';
import type { ClaimOf } from '@quire/work-queue';
import { downloadTasks, hosts, leaseSeconds, now, tasks } from './download-tasks.repository.js';

/** Downloads that a worker leases together, to make them in one slot. */
const downloadsPerSlot = 16;
/** Hosts that one claim takes downloads of. */
const hostsPerClaim = 8;

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
  for (const download of claimed.sort((one, other) => one.number - other.number)) {
    const { token, tenantId, host } = download;
    const slot = slots.get(token) ?? { token, tenantId, host, downloads: [] };
    slots.set(token, slot);
    slot.downloads.push(download);
  }
  return [...slots.values()];
}

/** SQL of the slots with valid leases. */
const usedSlots = `SELECT DISTINCT tenant_id, host, lease_token FROM ${tasks}
  WHERE lease_token IS NOT NULL AND lease_expires_at > ${now}`;

/** SQL of the number of used slots of a host. @param host alias of its row */
function countUsedSlots(host: string): string {
  return `(SELECT count(*) FROM (${usedSlots}) used
    WHERE used.tenant_id = ${host}.tenant_id AND used.host = ${host}.host)`;
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

/**
 * Slots in which the next download may begin: their host has asked for no pause, has as many slots as are used, and
 * some of their downloads are still leased.
 * @returns their tokens
 */
export async function selectOpenSlots(
  sql: Queryable,
  tenantId: string,
  slots: readonly LeasedSlot[],
): Promise<Set<string>> {
  const open = await sql.query<{ token: string }>({
    prepared: true,
    text: `WITH used AS MATERIALIZED (
        SELECT * FROM (${usedSlots}) used WHERE tenant_id = $1 AND host = ANY($2)
      )
      SELECT lease_token AS token FROM used JOIN ${hosts} h USING (tenant_id, host)
      WHERE lease_token = ANY($3) AND blocked_until <= ${now}
        AND h.slots >= (SELECT count(*) FROM used u WHERE u.host = h.host)`,
    values: [tenantId, slots.map(({ host }) => host), slots.map(({ token }) => token)],
  });
  return new Set(open.map(({ token }) => token));
}

/** SQL of the keys and tokens of leases, from `leaseValues`. */
const leases = `unnest($1::text[], $2::text[], $3::integer[], $4::text[])
  AS leased (tenant_id, import_id, number, token)`;
/** The lists let the planner use the key of the table, of which it often has no statistics yet. */
const isHeld = `w.tenant_id = leased.tenant_id AND w.import_id = leased.import_id AND w.number = leased.number
  AND w.lease_token = leased.token AND w.tenant_id = ANY($1) AND w.import_id = ANY($2) AND w.number = ANY($3)`;
const leaseValues = (leased: readonly LeasedDownload[]) => [
  leased.map(({ tenantId }) => tenantId),
  leased.map(({ importId }) => importId),
  leased.map(({ number }) => number),
  leased.map(({ token }) => token),
];

/**
 * Returns leased downloads that were not begun: they are due, and this lease does not count as an attempt.
 * @param afterSeconds time until they are due
 */
export async function releaseDownloads(
  sql: Queryable,
  leased: readonly LeasedDownload[],
  afterSeconds = 0,
): Promise<void> {
  if (leased.length === 0) return;
  await sql.query({
    prepared: true,
    text: `UPDATE ${tasks} w SET state = 'pending', attempts = w.attempts - 1, lease_token = NULL,
        due_at = now() + make_interval(secs => $5), lease_expires_at = NULL, updated_at = now()
      FROM ${leases} WHERE ${isHeld}`,
    values: [...leaseValues(leased), afterSeconds],
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
  if (leased.length === 0) return [];
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
