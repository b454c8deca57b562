import type { Queryable } from '@quire/database';
import type { Tenant } from '@quire/tenancy';
import { scheduleObjectDeletions } from '../objects/index.js';

/** A variant that lies in the store. */
export interface VariantRow {
  objectKey: string;
  size: number;
}

/** Which variant of which bytes. */
export interface VariantKey {
  sourceKey: string;
  name: string;
}

/** A variant that was made, or that is known not to be possible: without an object. */
export type KnownVariant = { objectKey: string | null; size: number };

/** What is known of a variant; undefined when it is to be made. Its use is noted once a day. */
export async function touchVariant(
  sql: Queryable,
  { sourceKey, name }: VariantKey,
): Promise<KnownVariant | undefined> {
  const [variant] = await sql.query<KnownVariant & { isUseOld: boolean }>({
    prepared: true,
    text: `SELECT object_key AS "objectKey", size, used_at < now() - interval '1 day' AS "isUseOld"
      FROM media_variants WHERE source_key = $1 AND name = $2 AND (object_key IS NOT NULL OR retry_at > now())`,
    values: [sourceKey, name],
  });
  if (variant?.isUseOld)
    await sql.query('UPDATE media_variants SET used_at = now() WHERE source_key = $1 AND name = $2', [
      sourceKey,
      name,
    ]);
  return variant;
}

/**
 * Keeps an item and its bytes as they are until the transaction ends.
 * @returns false when the item is gone or has other bytes by now
 */
export async function lockSource(sql: Queryable, itemId: string, sourceKey: string): Promise<boolean> {
  const held = await sql.query('SELECT 1 FROM media_items WHERE id = $1 AND object_key = $2 FOR SHARE', [
    itemId,
    sourceKey,
  ]);
  return held.length > 0;
}

/** Notes a variant, in place of a failure if there was one. @returns false when there is one of that name already */
export async function insertVariant(
  sql: Queryable,
  { sourceKey, name, objectKey, size }: VariantRow & VariantKey,
): Promise<boolean> {
  const inserted = await sql.query(
    `INSERT INTO media_variants (source_key, name, object_key, size) VALUES ($1, $2, $3, $4)
     ON CONFLICT (source_key, name) DO UPDATE SET object_key = $3, size = $4, used_at = now(), retry_at = NULL
       WHERE media_variants.object_key IS NULL
     RETURNING name`,
    [sourceKey, name, objectKey, size],
  );
  return inserted.length > 0;
}

/** Notes that a variant cannot be made. @param retrySeconds when that may be tried again */
export async function insertVariantFailure(
  sql: Queryable,
  { sourceKey, name }: VariantKey,
  retrySeconds: number,
): Promise<void> {
  await sql.query(
    `INSERT INTO media_variants (source_key, name, size, retry_at) VALUES ($1, $2, 0, now() + make_interval(secs => $3))
     ON CONFLICT (source_key, name) DO UPDATE SET retry_at = excluded.retry_at WHERE media_variants.object_key IS NULL`,
    [sourceKey, name, retrySeconds],
  );
}

/** Schedules the deletion of all variants of an object, in the transaction that dereferences it. @returns their keys */
export async function scheduleVariantDeletion(
  sql: Queryable,
  tenant: Tenant,
  sourceKey: string,
): Promise<string[]> {
  const variants = await sql.query<{ objectKey: string | null }>(
    'DELETE FROM media_variants WHERE source_key = $1 RETURNING object_key AS "objectKey"',
    [sourceKey],
  );
  return scheduleEach(sql, tenant, variants);
}

/** Schedules the deletion of the least recently used variants beyond a total of this many bytes. */
export async function scheduleUnusedVariantDeletion(
  sql: Queryable,
  tenant: Tenant,
  maxBytes: number,
): Promise<void> {
  const variants = await sql.query<{ objectKey: string | null }>(
    `WITH ranked AS (
       SELECT source_key, name, sum(size) OVER (ORDER BY used_at DESC, source_key, name) AS bytes
       FROM media_variants WHERE object_key IS NOT NULL
     ), unused AS (
       SELECT v.source_key, v.name FROM media_variants v JOIN ranked USING (source_key, name)
       WHERE ranked.bytes > $1 FOR UPDATE OF v SKIP LOCKED
     )
     DELETE FROM media_variants v USING unused u WHERE v.source_key = u.source_key AND v.name = u.name
     RETURNING v.object_key AS "objectKey"`,
    [maxBytes],
  );
  await scheduleEach(sql, tenant, variants);
}

async function scheduleEach(
  sql: Queryable,
  tenant: Tenant,
  variants: readonly { objectKey: string | null }[],
): Promise<string[]> {
  const keys = variants.flatMap(({ objectKey }) => objectKey ?? []);
  if (keys.length > 0) await scheduleObjectDeletions(sql, tenant, keys);
  return keys;
}
