import { insertRow, type Queryable, type RowInput } from '@quire/database';
import { itemColumns, mapMissingFolder, MediaItem, type ItemRow } from '../items/index.js';

/** Files are equal if their SHA-256 hashes are. xxHash64 and size find the candidates. */
export interface ContentIdentity {
  sha256: string;
  xxh64: string;
  size: number;
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

/** @returns the oldest ready item with these bytes, of the type if one is given. */
export async function selectItemByContent(
  sql: Queryable,
  { sha256, xxh64, size }: ContentIdentity,
  mimeType: string | null = null,
): Promise<ItemRow | undefined> {
  const [item] = await sql.query<ItemRow>(
    `SELECT ${itemColumns} FROM media_items
     WHERE content_hash = $1 AND size = $2 AND sha256 = $3 AND status = 'ready'
       AND ($4::text IS NULL OR mime_type = $4) ORDER BY id LIMIT 1`,
    [xxh64, size, sha256, mimeType],
  );
  return item;
}

/** @returns the bytes of all ready items. */
export async function selectStorageUse(sql: Queryable): Promise<number> {
  const [row] = await sql.query<{ bytes: number }>(
    "SELECT coalesce(sum(size), 0)::bigint AS bytes FROM media_items WHERE status = 'ready'",
  );
  return row?.bytes ?? 0;
}

/** Inserts a ready item. @throws QuireError NOT_FOUND when there is no such folder. */
export async function insertItem(
  sql: Queryable,
  item: Omit<RowInput<MediaItem>, 'status' | 'contentHash' | 'size'> & ContentIdentity,
): Promise<ItemRow> {
  const { xxh64, ...values } = item;
  const stored = await mapMissingFolder(() =>
    insertRow(sql, MediaItem, { ...values, contentHash: xxh64, status: 'ready' }),
  );
  const { sha256, ...row } = stored;
  return { ...row, contentHash: `sha256:${sha256}` };
}
