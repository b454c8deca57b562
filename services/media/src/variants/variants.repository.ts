import type { Sql } from '@quire/database';
import type { Tenant } from '@quire/tenancy';
import { doom } from '../objects/index.js';

/** A variant that lies in the store. */
export interface VariantRow {
  objectKey: string;
  size: number;
}

/** The variant of this name that was made of an object, if there is one. */
export async function variantOf(sql: Sql, sourceKey: string, name: string): Promise<VariantRow | undefined> {
  const [variant] = await sql.query<VariantRow>({
    keepsPlan: true,
    text: 'SELECT object_key AS "objectKey", size FROM media_variants WHERE source_key = $1 AND name = $2',
    values: [sourceKey, name],
  });
  return variant;
}

/**
 * Keeps an item and its bytes as they are until the transaction ends.
 * @returns false when the item is gone or has other bytes by now
 */
export async function holdSource(sql: Sql, itemId: string, sourceKey: string): Promise<boolean> {
  const held = await sql.query('SELECT 1 FROM media_items WHERE id = $1 AND object_key = $2 FOR SHARE', [
    itemId,
    sourceKey,
  ]);
  return held.length > 0;
}

/** Notes a variant. @returns false when there is one of that name already */
export async function insertVariant(
  sql: Sql,
  { sourceKey, name, objectKey, size }: VariantRow & { sourceKey: string; name: string },
): Promise<boolean> {
  const inserted = await sql.query(
    `INSERT INTO media_variants (source_key, name, object_key, size) VALUES ($1, $2, $3, $4)
     ON CONFLICT DO NOTHING RETURNING name`,
    [sourceKey, name, objectKey, size],
  );
  return inserted.length > 0;
}

/** Dooms all variants of an object, in the transaction that ends the need for it. @returns their keys */
export async function doomVariants(sql: Sql, tenant: Tenant, sourceKey: string): Promise<string[]> {
  const variants = await sql.query<{ objectKey: string }>(
    'DELETE FROM media_variants WHERE source_key = $1 RETURNING object_key AS "objectKey"',
    [sourceKey],
  );
  for (const { objectKey } of variants) await doom(sql, tenant, objectKey);
  return variants.map(({ objectKey }) => objectKey);
}
