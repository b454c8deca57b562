import type { Queryable } from '@quire/database';
import { lockRegistry } from './registration.js';
import type { Tenant } from './tenant.js';

/** The deletion of a site that is restorable. Times are ISO 8601. */
export interface PendingDeletion {
  deletedAt: string;
  /** When the data is deleted. */
  purgeAt: string;
}

/** `active`: there is no deletion to cancel. `purging`: it is too late. */
export type CancelledDeletion = 'restored' | 'active' | 'purging';

/*
 * The states of a deletion. Each change is a transaction that waits for all others, so a site whose purge has begun is
 * never restored, and none that was restored is purged. `tenant_purges` is the work table of the purges.
 */

/**
 * Deletes a site so that it is restorable for a time. A repeated call changes the end only, which counts from the first
 * one.
 * @param tx a transaction in the registry's schema
 * @param keepSeconds time from the deletion to the purge of the data
 * @returns undefined when there is no such site, or its purge has begun
 */
export async function scheduleDeletion(
  tx: Queryable,
  tenantId: string,
  keepSeconds: number,
): Promise<PendingDeletion | undefined> {
  await lockRegistry(tx);
  const [deletion] = await tx.query<PendingDeletion>(
    `UPDATE tenants SET deleted_at = coalesce(deleted_at, now()),
       purge_at = coalesce(deleted_at, now()) + make_interval(secs => $2)
     WHERE id = $1 AND purge_started_at IS NULL
     RETURNING deleted_at AS "deletedAt", purge_at AS "purgeAt"`,
    [tenantId, keepSeconds],
  );
  if (deletion) await requestPurge(tx, tenantId);
  return deletion;
}

/**
 * Cancels the deletion of a site.
 * @param tx a transaction in the registry's schema
 * @returns undefined when there is no such site
 */
export async function cancelDeletion(
  tx: Queryable,
  tenantId: string,
): Promise<CancelledDeletion | undefined> {
  await lockRegistry(tx);
  const [site] = await tx.query<{ isDeleted: boolean; isPurging: boolean }>(
    `SELECT deleted_at IS NOT NULL AS "isDeleted", purge_started_at IS NOT NULL AS "isPurging"
     FROM tenants WHERE id = $1`,
    [tenantId],
  );
  if (!site) return undefined;
  if (site.isPurging) return 'purging';
  if (!site.isDeleted) return 'active';
  await tx.query('UPDATE tenants SET deleted_at = NULL, purge_at = NULL WHERE id = $1', [tenantId]);
  await tx.query('DELETE FROM tenant_purges WHERE tenant_id = $1', [tenantId]);
  return 'restored';
}

/** Which sites a purge begins with: any; those whose time has come; those whose creation has not been completed. */
export type PurgeCondition = 'any' | 'due' | 'unmade';

const conditions: Record<PurgeCondition, string> = {
  any: 'true',
  due: '(purge_started_at IS NOT NULL OR purge_at <= now()::timestamptz(3))',
  unmade: `NOT EXISTS (SELECT FROM site_versions v WHERE v.tenant_id = id AND v.version <> '{}')`,
};

/**
 * Begins the purge of a site, or continues one: from now on the site is not restorable, has no hosts, and exists for
 * the purge only.
 * @param tx a transaction in the registry's schema
 * @returns the site, and whether an earlier call has begun; undefined when there is none that meets the condition
 */
export async function beginPurge(
  tx: Queryable,
  tenantId: string,
  condition: PurgeCondition,
): Promise<{ tenant: Tenant; isRepeated: boolean } | undefined> {
  await lockRegistry(tx);
  const [site] = await tx.query<Tenant & { isRepeated: boolean }>(
    `SELECT id, database, purge_started_at IS NOT NULL AS "isRepeated" FROM tenants
     WHERE id = $1 AND ${conditions[condition]}`,
    [tenantId],
  );
  if (!site) return undefined;
  const { isRepeated, ...tenant } = site;
  if (isRepeated) return { tenant, isRepeated };
  await tx.query(
    `UPDATE tenants SET deleted_at = coalesce(deleted_at, now()), purge_at = least(purge_at, now()),
       purge_started_at = now() WHERE id = $1`,
    [tenantId],
  );
  await tx.query('DELETE FROM tenant_hosts WHERE tenant_id = $1', [tenantId]);
  await requestPurge(tx, tenantId);
  return { tenant, isRepeated };
}

/**
 * Removes a site from the registry when its data is deleted.
 * @param tx a transaction in the registry's schema
 * @returns false when another call has removed it
 */
export async function endPurge(tx: Queryable, tenantId: string): Promise<boolean> {
  await lockRegistry(tx);
  const removed = await tx.query(
    'DELETE FROM tenants WHERE id = $1 AND purge_started_at IS NOT NULL RETURNING id',
    [tenantId],
  );
  return removed.length > 0;
}

/** Ids of the sites whose time has come, and of those whose purge has begun. @param sql the registry's schema */
export async function selectDuePurges(sql: Queryable): Promise<string[]> {
  const rows = await sql.query<{ id: string }>(
    `SELECT id FROM tenants WHERE ${conditions.due} ORDER BY purge_at, id`,
  );
  return rows.map(({ id }) => id);
}

/** Makes the purge due at the time of the site. */
async function requestPurge(tx: Queryable, tenantId: string): Promise<void> {
  await tx.query(
    `INSERT INTO tenant_purges (tenant_id, due_at) SELECT id, purge_at FROM tenants WHERE id = $1
     ON CONFLICT (tenant_id) DO UPDATE SET due_at = excluded.due_at, attempts = 0`,
    [tenantId],
  );
}
