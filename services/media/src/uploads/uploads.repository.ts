import { columnOf, insertRows, Parameters, type Queryable, type RowInput } from '@quire/database';
import { itemColumns, mapMissingFolder, MediaItem, type ItemRow } from '../items/index.js';
import { cancelDeletionStatement, uploadExpiredError } from '../objects/index.js';

/** Files are equal if their SHA-256 hashes are. xxHash64 and size find the candidates. */
export interface ContentIdentity {
  sha256: string;
  xxh64: string;
  size: number;
}

/** Serialises transactions that store an item with the same content. */
export async function lockContentHash(
  sql: Queryable,
  content: Pick<ContentIdentity, 'sha256'>,
): Promise<void> {
  await lockContentHashes(sql, [content]);
}

/** Locks several contents, always in the same order: transactions do not wait for each other in a circle. */
export async function lockContentHashes(
  sql: Queryable,
  contents: readonly Pick<ContentIdentity, 'sha256'>[],
): Promise<void> {
  await sql.query(
    `SELECT pg_advisory_xact_lock(hashtextextended(current_schema() || ':media:' || hash, 0))
     FROM unnest($1::text[]) AS hash`,
    [contents.map(({ sha256 }) => sha256).sort()],
  );
}

/** @returns the oldest ready item with these bytes, of any type. */
export async function selectItemByContent(
  sql: Queryable,
  content: ContentIdentity,
): Promise<ItemRow | undefined> {
  return (await selectItemsByContent(sql, [{ ...content, mimeType: null }]))[0];
}

/** @returns for each content its oldest ready item, of the type if one is given. */
export async function selectItemsByContent(
  sql: Queryable,
  contents: readonly (ContentIdentity & { mimeType: string | null })[],
): Promise<(ItemRow | undefined)[]> {
  if (contents.length === 0) return [];
  const rows = await sql.query<ItemRow & { place: number }>(
    `SELECT DISTINCT ON (place) place, ${itemColumns}
     FROM unnest($1::text[], $2::bigint[], $3::text[], $4::text[]) WITH ORDINALITY
       AS content (quick_hash, bytes, strong_hash, type, place)
     JOIN media_items ON content_hash = quick_hash AND size = bytes AND sha256 = strong_hash AND status = 'ready'
       AND (type IS NULL OR mime_type = type)
     ORDER BY place, id`,
    [
      contents.map(({ xxh64 }) => xxh64),
      contents.map(({ size }) => size),
      contents.map(({ sha256 }) => sha256),
      contents.map(({ mimeType }) => mimeType),
    ],
  );
  const items = new Map(rows.map(({ place, ...item }) => [place, item]));
  return contents.map((_, index) => items.get(index + 1));
}

/** @returns the bytes of all ready items. */
export async function selectStorageUse(sql: Queryable): Promise<number> {
  const [row] = await sql.query<{ bytes: number }>(
    'SELECT coalesce(sum(bytes), 0)::bigint AS bytes FROM storage_use',
  );
  return row?.bytes ?? 0;
}

/** The number and the bytes of all ready items. The number is counted, so it takes longer with many of them. */
export async function selectMediaUse(sql: Queryable): Promise<{ files: number; bytes: number }> {
  const [row] = await sql.query<{ files: number }>(
    "SELECT count(*) AS files FROM media_items WHERE status = 'ready'",
  );
  return { files: row?.files ?? 0, bytes: await selectStorageUse(sql) };
}

/** Lets transactions that check the bytes of all items wait for each other. */
export async function lockStorageUse(tx: Queryable): Promise<void> {
  await tx.query("SELECT pg_advisory_xact_lock(hashtextextended(current_schema() || ':storage-use', 0))");
}

/** A ready item that is not inserted yet. */
export type NewItem = Omit<RowInput<MediaItem>, 'status' | 'contentHash' | 'size'> & ContentIdentity;

/** The item that has the bytes of an upload, and whether the upload created it. */
export interface StoredUpload {
  item: ItemRow;
  isNew: boolean;
}

/**
 * Inserts a ready item and cancels the deletion of its object, unless a ready item has the same bytes: all in one
 * statement. Concurrent uploads of the same bytes wait for each other. If an item has them, the deletion remains.
 * @throws QuireError NOT_FOUND when there is no such folder, SERVICE_UNAVAILABLE when the object is being deleted.
 */
export async function insertItemOfNewContent(
  sql: Queryable,
  { xxh64, ...values }: NewItem & { objectKey: string },
): Promise<StoredUpload> {
  const params = new Parameters();
  const { sha256, size, objectKey } = values;
  const content = [params.add(xxh64, 'text'), params.add(size, 'bigint'), params.add(sha256, 'text')];
  const row = Object.entries({ ...values, contentHash: xxh64, status: 'ready' }).map(([property, value]) => {
    const { name, type } = columnOf(MediaItem, property);
    return { name, value: params.add(value, type) };
  });
  const columns = row.map(({ name }) => name).join(', ');
  const [stored] = await mapMissingFolder(() =>
    sql.query<ItemRow & { isNew: boolean }>({
      prepared: true,
      text: `WITH known AS MATERIALIZED (
          SELECT * FROM lock_ready_item_by_content(${content.join(', ')})
        ), cancelled AS (
          ${cancelDeletionStatement(params.add(objectKey, 'text'))} AND NOT EXISTS (SELECT FROM known) RETURNING 1
        ), stored AS (
          INSERT INTO media_items (${columns})
          SELECT ${row.map(({ value }) => value).join(', ')} FROM cancelled RETURNING *
        )
        SELECT ${itemColumns}, true AS "isNew" FROM stored
        UNION ALL SELECT ${itemColumns}, false FROM known`,
      values: params.values,
    }),
  );
  if (!stored) throw uploadExpiredError();
  const { isNew, ...item } = stored;
  return { item, isNew };
}

/** Inserts ready items. @returns them in their order. @throws QuireError NOT_FOUND when there is no such folder. */
export async function insertItems(sql: Queryable, items: readonly NewItem[]): Promise<ItemRow[]> {
  const rows = items.map(({ xxh64, ...values }) => ({
    ...values,
    contentHash: xxh64,
    status: 'ready' as const,
  }));
  const stored = await mapMissingFolder(() => insertRows(sql, MediaItem, rows));
  return stored.map(({ sha256, ...row }) => ({ ...row, contentHash: `sha256:${sha256}` }));
}
