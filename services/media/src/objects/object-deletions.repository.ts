import { identifier, type Queryable } from '@quire/database';
import { QuireError } from '@quire/errors';
import { sharedSchema, type Tenant } from '@quire/tenancy';

/** An object that is due for deletion. */
export interface ObjectDeletion {
  objectKey: string;
  tenantId: string;
  /** The item that goes with it unless it is ready. */
  itemId: string | null;
}

const table = `${identifier(sharedSchema('media'))}.object_deletions`;

/** How long other sweeps leave a claimed one alone: what cannot be deleted is tried again then, later each time. */
const claimSeconds = 30;
const maxClaimSeconds = 3600;

/**
 * Writes down that an object is to be deleted. One that an announced item goes with keeps its time: clients hold a
 * signed address of it, and what they store there until that has expired has to be found.
 * @param terms in how many seconds, now unless given; and the item that goes with it unless it is ready by then
 */
export async function scheduleObjectDeletion(
  sql: Queryable,
  tenant: Tenant,
  objectKey: string,
  { afterSeconds = 0, itemId = null }: { afterSeconds?: number; itemId?: string | null } = {},
): Promise<void> {
  await sql.query(
    `INSERT INTO ${table} (object_key, tenant_id, item_id, due_at) VALUES ($1, $2, $3, now() + make_interval(secs => $4))
     ON CONFLICT (object_key) DO UPDATE SET due_at = least(object_deletions.due_at, excluded.due_at)
       WHERE object_deletions.item_id IS NULL`,
    [objectKey, tenant.id, itemId, afterSeconds],
  );
}

/** Schedules unreferenced objects for immediate deletion. */
export async function scheduleObjectDeletions(
  sql: Queryable,
  tenant: Tenant,
  objectKeys: readonly string[],
): Promise<void> {
  await sql.query(
    `INSERT INTO ${table} (object_key, tenant_id, due_at) SELECT unnest($1::text[]), $2, now()
     ON CONFLICT (object_key) DO UPDATE SET due_at = least(object_deletions.due_at, excluded.due_at)
       WHERE object_deletions.item_id IS NULL`,
    [objectKeys, tenant.id],
  );
}

/**
 * Removes the deletion row of an object. Runs in the transaction that references the object.
 * @throws QuireError SERVICE_UNAVAILABLE when it took so long that the object is being deleted.
 */
export async function cancelObjectDeletion(sql: Queryable, objectKey: string): Promise<void> {
  const struck = await sql.query(
    `DELETE FROM ${table} WHERE object_key = $1 AND attempts = 0 RETURNING object_key`,
    [objectKey],
  );
  if (struck.length === 0) throw uploadExpiredError();
}

/**
 * Moves the deletion of an object to another time.
 * @throws QuireError SERVICE_UNAVAILABLE when it took so long that the object is being deleted.
 */
export async function postponeObjectDeletion(sql: Queryable, objectKey: string, dueAt: Date): Promise<void> {
  const prolonged = await sql.query(
    `UPDATE ${table} SET due_at = $2 WHERE object_key = $1 AND attempts = 0 RETURNING object_key`,
    [objectKey, dueAt],
  );
  if (prolonged.length === 0) throw uploadExpiredError();
}

/**
 * Claims the deletion of an object, so that it cannot be cancelled any more.
 * @returns false when no deletion is scheduled: the object is referenced or already deleted
 */
export async function claimObjectDeletion(sql: Queryable, objectKey: string): Promise<boolean> {
  const condemned = await sql.query(
    `UPDATE ${table} SET attempts = attempts + 1, due_at = now() + make_interval(secs => $2) WHERE object_key = $1
     RETURNING object_key`,
    [objectKey, claimSeconds],
  );
  return condemned.length > 0;
}

/** Claims due object deletions, oldest first. Runs in the service's shared schema. */
export async function claimDueObjectDeletions(sql: Queryable, limit: number): Promise<ObjectDeletion[]> {
  return sql.query<ObjectDeletion>(
    `UPDATE ${table} d
     SET attempts = d.attempts + 1, due_at = now() + make_interval(secs => least($2 * 2 ^ least(d.attempts, 10), $3))
     FROM (SELECT object_key FROM ${table} WHERE due_at <= now() ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED) due
     WHERE d.object_key = due.object_key
     RETURNING d.object_key AS "objectKey", d.tenant_id AS "tenantId", d.item_id AS "itemId"`,
    [limit, claimSeconds, maxClaimSeconds],
  );
}

/** Deletes the row of a completed object deletion. */
export async function deleteObjectDeletion(sql: Queryable, objectKey: string): Promise<void> {
  await sql.query(`DELETE FROM ${table} WHERE object_key = $1`, [objectKey]);
}

function uploadExpiredError(): QuireError {
  return new QuireError(
    'SERVICE_UNAVAILABLE',
    'The upload expired before it was completed. Upload the file again.',
  );
}
