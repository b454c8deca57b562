import { identifier, type Queryable } from '@quire/database';
import { QuireError } from '@quire/errors';
import { sharedSchema, type Tenant } from '@quire/tenancy';
import { defineWorkTable, exponentialBackoff, type ClaimOf } from '@quire/work-queue';

const table = `${identifier(sharedSchema('media'))}.object_deletions`;

/**
 * Objects to delete; `itemId` is the item that is deleted with the object unless it is ready. A deletion with an item
 * keeps its time: clients have a signed address of the object and may store bytes there until the address expires.
 */
export const objectDeletions = defineWorkTable<
  { objectKey: string },
  { tenantId: string; itemId: string | null }
>({
  name: table,
  key: { objectKey: 'object_key' },
  payload: { tenantId: 'tenant_id', itemId: 'item_id' },
  leaseSeconds: 30,
  backoff: exponentialBackoff({ initialSeconds: 30, maxSeconds: 3600 }),
  onConflict: 'UPDATE SET due_at = least(w.due_at, excluded.due_at) WHERE w.item_id IS NULL',
});

/** A claimed deletion. */
export type ObjectDeletion = ClaimOf<typeof objectDeletions>;

/** Schedules the deletion of objects, now unless a delay is given. */
export async function scheduleObjectDeletions(
  sql: Queryable,
  tenant: Tenant,
  objectKeys: readonly string[],
  { afterSeconds = 0, itemId = null }: { afterSeconds?: number; itemId?: string | null } = {},
): Promise<void> {
  const deletions = objectKeys.map((objectKey) => ({ objectKey, tenantId: tenant.id, itemId }));
  await objectDeletions.enqueue(sql, deletions, { afterSeconds });
}

/**
 * Removes the deletion row of an object. Runs in the transaction that references the object.
 * @throws QuireError SERVICE_UNAVAILABLE when the reservation has expired and the object is being deleted.
 */
export async function cancelObjectDeletion(sql: Queryable, objectKey: string): Promise<void> {
  await cancelObjectDeletions(sql, [objectKey]);
}

/**
 * `cancelObjectDeletion` as a part of another statement: a DELETE that a condition and RETURNING may follow. It deletes
 * nothing when the reservation has expired.
 * @param objectKey placeholder of the key
 */
export function cancelDeletionStatement(objectKey: string): string {
  return `DELETE FROM ${table} WHERE object_key = ${objectKey} AND attempts = 0`;
}

/** `cancelObjectDeletion` for several objects, in one statement. */
export async function cancelObjectDeletions(sql: Queryable, objectKeys: readonly string[]): Promise<void> {
  const deletions = objectKeys.map((objectKey) => ({ objectKey }));
  if ((await objectDeletions.cancelUnclaimed(sql, deletions)) < deletions.length) throw uploadExpiredError();
}

/**
 * Moves the deletion of an object to another time. No other work table moves work that is not claimed.
 * @throws QuireError SERVICE_UNAVAILABLE when the reservation has expired and the object is being deleted.
 */
export async function postponeObjectDeletion(sql: Queryable, objectKey: string, dueAt: Date): Promise<void> {
  const postponed = await sql.query(
    `UPDATE ${table} SET due_at = $2 WHERE object_key = $1 AND attempts = 0 RETURNING 1`,
    [objectKey, dueAt],
  );
  if (postponed.length === 0) throw uploadExpiredError();
}

/** The time until which site exports keep an object; null for an object that none needs. */
export async function selectKeptUntil(sql: Queryable, objectKey: string): Promise<Date | null> {
  const [row] = await sql.query<{ keptUntil: string | null }>(
    `SELECT max(kept_until) AS "keptUntil" FROM kept_objects WHERE object_key = $1 AND kept_until > now()`,
    [objectKey],
  );
  return row?.keptUntil == null ? null : new Date(row.keptUntil);
}

/** Moves a claimed deletion to another time. It can be cancelled again until then. */
export async function deferObjectDeletion(
  sql: Queryable,
  { objectKey }: ObjectDeletion,
  dueAt: Date,
): Promise<void> {
  await sql.query(`UPDATE ${table} SET due_at = $2, attempts = 0 WHERE object_key = $1`, [objectKey, dueAt]);
}

/** Makes deferred deletions of objects due now. */
export async function resumeObjectDeletions(sql: Queryable, objectKeys: readonly string[]): Promise<void> {
  await sql.query(
    `UPDATE ${table} SET due_at = least(due_at, now()) WHERE object_key = ANY($1) AND attempts = 0`,
    [objectKeys],
  );
}

/** Deletes the item of an object that is deleted, unless the item is ready. */
export async function deleteUnreadyItem(sql: Queryable, itemId: string): Promise<void> {
  await sql.query("DELETE FROM media_items WHERE id = $1 AND status <> 'ready'", [itemId]);
}

/** The error for an object whose reservation has expired. */
export function uploadExpiredError(): QuireError {
  return new QuireError(
    'SERVICE_UNAVAILABLE',
    'The upload expired before it was completed. Upload the file again.',
  );
}

/** Time until an upload that has no deletion is given up. */
const forgottenUploadSeconds = 24 * 3600;

/**
 * Brings the deletions of a site's objects in line with its items and variants: an object in use has none, an upload
 * that is not confirmed has one.
 * @returns the numbers of changed deletions
 */
export async function repairObjectDeletions(
  sql: Queryable,
  tenantId: string,
): Promise<{ inUse: number; missing: number }> {
  const [changed] = await sql.query<{ inUse: number; missing: number }>(
    `WITH "inUse" AS (
       DELETE FROM ${table} d WHERE d.tenant_id = $1 AND (
         EXISTS (SELECT FROM media_items i WHERE i.object_key = d.object_key AND i.status = 'ready')
         OR EXISTS (SELECT FROM media_variants v WHERE v.object_key = d.object_key)) RETURNING 1
     ), missing AS (
       INSERT INTO ${table} (object_key, tenant_id, item_id, due_at)
       SELECT object_key, $1, id, now() + make_interval(secs => $2) FROM media_items
       WHERE status = 'pending' AND object_key IS NOT NULL ON CONFLICT DO NOTHING RETURNING 1
     )
     SELECT (SELECT count(*) FROM "inUse") AS "inUse", (SELECT count(*) FROM missing) AS missing`,
    [tenantId, forgottenUploadSeconds],
  );
  return changed ?? { inUse: 0, missing: 0 };
}
