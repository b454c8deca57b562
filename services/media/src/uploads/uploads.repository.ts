import type { Queryable } from '@quire/database';
import { itemColumns, mapMissingFolder, type ItemRow } from '../items/index.js';
import type { ImageDetails } from '../images/index.js';

/** What makes two files the same: SHA-256. xxHash64 and the size find those that are worth comparing. */
export interface ContentIdentity {
  sha256: string;
  xxh64: string;
  size: number;
}

/** A ready item that is to be stored. */
export interface NewItem extends ContentIdentity, ImageDetails {
  id: string;
  filename: string;
  mimeType: string;
  storageKey: string;
  objectKey: string;
  alt: string | null;
  caption: string | null;
  folderId: string | null;
  authorId: string | null;
}

/** Serialises transactions that store an item with the same content. */
export async function lockContentHash(
  sql: Queryable,
  { sha256 }: Pick<ContentIdentity, 'sha256'>,
): Promise<void> {
  await sql.query("SELECT pg_advisory_xact_lock(hashtextextended(current_schema() || ':media:' || $1, 0))", [
    sha256,
  ]);
}

/** The oldest ready item with these bytes. */
export async function selectItemByContent(
  sql: Queryable,
  { sha256, xxh64, size }: ContentIdentity,
): Promise<ItemRow | undefined> {
  const [item] = await sql.query<ItemRow>(
    `SELECT ${itemColumns} FROM media_items
     WHERE content_hash = $1 AND size = $2 AND sha256 = $3 AND status = 'ready' ORDER BY id LIMIT 1`,
    [xxh64, size, sha256],
  );
  return item;
}

/** Stores a ready item. @throws QuireError NOT_FOUND when there is no such folder. */
export async function insertItem(sql: Queryable, item: NewItem): Promise<ItemRow> {
  const [stored] = await mapMissingFolder(() =>
    sql.query<ItemRow>(
      `INSERT INTO media_items (id, filename, mime_type, size, width, height, alt, caption, blurhash, dominant_color,
         storage_key, object_key, content_hash, sha256, folder_id, status, author_id)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, 'ready', $16) RETURNING ${itemColumns}`,
      [
        item.id,
        item.filename,
        item.mimeType,
        item.size,
        item.width,
        item.height,
        item.alt,
        item.caption,
        item.blurhash,
        item.dominantColor,
        item.storageKey,
        item.objectKey,
        item.xxh64,
        item.sha256,
        item.folderId,
        item.authorId,
      ],
    ),
  );
  if (!stored) throw new Error('An insert returned nothing');
  return stored;
}
