import { orWhenReadOnly, type Queryable } from '@quire/database';
import type { Tenant } from '@quire/tenancy';
import { scheduleObjectDeletions } from '../objects/index.js';

/** A stored variant. */
export interface VariantRow {
  objectKey: string;
  size: number;
}

/** The key of a variant: its source and its name. */
export interface VariantKey {
  sourceKey: string;
  name: string;
}

/** A stored variant, or a failed attempt, which has no object. */
export type KnownVariant = { objectKey: string | null; size: number };

/** Returns a known variant; undefined if it has to be created. Records its use once a day. */
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
  if (variant?.isUseOld) {
    const stored = sql.query(
      'UPDATE media_variants SET used_at = now() WHERE source_key = $1 AND name = $2',
      [sourceKey, name],
    );
    await orWhenReadOnly(stored, () => []);
  }
  return variant;
}

/**
 * Locks an item with its bytes until the end of the transaction.
 * @returns false when the item is deleted or has other bytes
 */
export async function lockSource(sql: Queryable, itemId: string, sourceKey: string): Promise<boolean> {
  const locked = await sql.query('SELECT 1 FROM media_items WHERE id = $1 AND object_key = $2 FOR SHARE', [
    itemId,
    sourceKey,
  ]);
  return locked.length > 0;
}

/** Inserts a variant, or replaces a failed attempt. @returns false when the variant exists already */
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

/** Inserts a failed attempt. @param retrySeconds time until the attempt may be repeated */
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
  return scheduleVariantDeletions(sql, tenant, [sourceKey]);
}

/** `scheduleVariantDeletion` for several objects, in one statement. */
export async function scheduleVariantDeletions(
  sql: Queryable,
  tenant: Tenant,
  sourceKeys: readonly string[],
): Promise<string[]> {
  const variants = await sql.query<{ objectKey: string | null }>(
    'DELETE FROM media_variants WHERE source_key = ANY($1) RETURNING object_key AS "objectKey"',
    [sourceKeys],
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
