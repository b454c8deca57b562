import { insertRow, type Queryable, type RowInput } from '@quire/database';
import { itemColumns, MediaItem, type ItemRow } from '../items/index.js';
import type { ImageDetails } from '../images/index.js';
import type { Fingerprint } from './receive-file.js';

/** The verified bytes of an item. */
export type VerifiedBytes = Pick<Fingerprint, 'size' | 'sha256' | 'xxh64'> &
  ImageDetails & { objectKey: string };

/** @param item its object key is that of the client's direct upload; null when the service receives the bytes. */
export async function insertPendingItem(
  sql: Queryable,
  item: Omit<RowInput<MediaItem>, 'status'>,
): Promise<void> {
  await insertRow(sql, MediaItem, { ...item, status: 'pending' });
}

/** @returns the oldest ready item with this SHA-256, type and size. */
export async function selectItemByHash(
  sql: Queryable,
  { sha256, mimeType, size }: { sha256: string; mimeType: string; size: number },
): Promise<ItemRow | undefined> {
  const [item] = await sql.query<ItemRow>(
    `SELECT ${itemColumns} FROM media_items
     WHERE sha256 = $1 AND mime_type = $2 AND size = $3 AND status = 'ready' ORDER BY id LIMIT 1`,
    [sha256, mimeType, size],
  );
  return item;
}

/** @returns the item of a user's upload target, in any state. */
export async function selectUpload(
  sql: Queryable,
  { storageKey, authorId }: Pick<ItemRow, 'storageKey' | 'authorId'>,
): Promise<ItemRow | undefined> {
  const [item] = await sql.query<ItemRow>(
    `SELECT ${itemColumns} FROM media_items WHERE storage_key = $1 AND author_id = $2`,
    [storageKey, authorId],
  );
  return item;
}

/**
 * Stores the key of a pending item's uploaded bytes.
 * @returns the former key, or undefined when the item is no longer pending.
 */
export async function updateUploadKey(
  sql: Queryable,
  id: string,
  objectKey: string,
): Promise<{ formerKey: string | null } | undefined> {
  const [moved] = await sql.query<{ formerKey: string | null }>(
    `UPDATE media_items i SET object_key = $2, updated_at = now()
     FROM (SELECT id, object_key FROM media_items WHERE id = $1 AND status = 'pending' FOR UPDATE) former
     WHERE i.id = former.id RETURNING former.object_key AS "formerKey"`,
    [id, objectKey],
  );
  return moved;
}

/**
 * Marks a pending item as failed, unless its upload has changed since.
 * @param uploadKey the key without bytes
 * @returns false when the upload has changed
 */
export async function markFailed(sql: Queryable, id: string, uploadKey: string | null): Promise<boolean> {
  const failed = await sql.query(
    `UPDATE media_items SET status = 'failed', updated_at = now()
     WHERE id = $1 AND status = 'pending' AND object_key IS NOT DISTINCT FROM $2 RETURNING id`,
    [id, uploadKey],
  );
  return failed.length > 0;
}

/**
 * Makes a pending item ready, unless its upload has changed since.
 * @param uploadKey the key of the verified bytes
 */
export async function markReady(
  sql: Queryable,
  id: string,
  uploadKey: string,
  bytes: VerifiedBytes,
): Promise<ItemRow | undefined> {
  const [item] = await sql.query<ItemRow>(
    `UPDATE media_items SET status = 'ready', ${bytesColumns(4)}, updated_at = now()
     WHERE id = $1 AND status = 'pending' AND object_key = $2 AND size = $3 RETURNING ${itemColumns}`,
    [id, uploadKey, bytes.size, ...bytesValues(bytes)],
  );
  return item;
}

/** Replaces the bytes of a ready item, unless another request did since. @param formerKey the replaced object */
export async function updateItemBytes(
  sql: Queryable,
  id: string,
  formerKey: string,
  bytes: VerifiedBytes,
): Promise<ItemRow | undefined> {
  const [item] = await sql.query<ItemRow>(
    `UPDATE media_items SET size = $3, ${bytesColumns(4)}, replacements = replacements + 1, updated_at = now()
     WHERE id = $1 AND status = 'ready' AND object_key = $2 RETURNING ${itemColumns}`,
    [id, formerKey, bytes.size, ...bytesValues(bytes)],
  );
  return item;
}

function bytesColumns(first: number): string {
  const names = ['object_key', 'sha256', 'content_hash', 'width', 'height', 'blurhash', 'dominant_color'];
  return names.map((name, index) => `${name} = $${first + index}`).join(', ');
}

function bytesValues(bytes: VerifiedBytes): unknown[] {
  const { objectKey, sha256, xxh64, width, height, blurhash, dominantColor } = bytes;
  return [objectKey, sha256, xxh64, width, height, blurhash, dominantColor];
}
