import type { Queryable } from '@quire/database';
import { itemColumns, type ItemRow } from '../items/index.js';
import type { ImageDetails } from '../images/index.js';
import type { Fingerprint } from './receive-file.js';

/** A file that is announced. */
export interface AnnouncedItem {
  id: string;
  filename: string;
  mimeType: string;
  size: number;
  storageKey: string;
  /** Where the client puts the bytes itself; null when the service is to take them. */
  objectKey: string | null;
  authorId: string | null;
}

/** The bytes that an item gets. */
export type VerifiedBytes = Pick<Fingerprint, 'size' | 'sha256' | 'xxh64'> &
  ImageDetails & { objectKey: string };

export async function insertPendingItem(sql: Queryable, item: AnnouncedItem): Promise<void> {
  await sql.query(
    `INSERT INTO media_items (id, filename, mime_type, size, storage_key, object_key, author_id, status)
     VALUES ($1, $2, $3, $4, $5, $6, $7, 'pending')`,
    [item.id, item.filename, item.mimeType, item.size, item.storageKey, item.objectKey, item.authorId],
  );
}

/** The oldest ready item of this SHA-256, type and size. */
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

/**
 * Notes where the uploaded bytes of a pending item are.
 * @returns where they were before; undefined when it is not pending any more
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
 * Gives up a pending item for good, unless its upload changed meanwhile.
 * @param uploadKey where no bytes were found
 * @returns false when the item is not as it was
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
 * Makes a pending item ready, unless its upload changed meanwhile.
 * @param uploadKey where the verified bytes came from
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

/** Gives a ready item other bytes, unless somebody else did meanwhile. @param formerKey where its bytes were */
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
