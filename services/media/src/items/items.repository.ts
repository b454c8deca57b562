import {
  hasSqlState,
  likeContaining,
  Parameters,
  sqlState,
  type KeysetPage,
  type Queryable,
} from '@quire/database';
import { notFound } from '@quire/errors';
import type { ItemStatus } from './item.entity.js';
import { mainLibrary, type MediaQuery, type MediaUpdate } from './items.schemas.js';

/** A stored item, but for what only uploads need. */
export interface ItemRow {
  id: string;
  filename: string;
  mimeType: string;
  size: number;
  width: number | null;
  height: number | null;
  alt: string | null;
  caption: string | null;
  storageKey: string;
  objectKey: string | null;
  status: ItemStatus;
  /** "sha256:…", of the stored bytes. */
  contentHash: string | null;
  blurhash: string | null;
  dominantColor: string | null;
  folderId: string | null;
  authorId: string | null;
  replacements: number;
  createdAt: string;
  updatedAt: string;
}

export const itemColumns = `id, filename, mime_type AS "mimeType", size, width, height, alt, caption,
  storage_key AS "storageKey", object_key AS "objectKey", status, 'sha256:' || sha256 AS "contentHash", blurhash,
  dominant_color AS "dominantColor", folder_id AS "folderId", author_id AS "authorId", replacements,
  created_at AS "createdAt", updated_at AS "updatedAt"`;

/** Lists go from the newest to the oldest. */
export const itemOrder = {
  column: 'created_at',
  idColumn: 'id',
  direction: 'desc',
  cast: 'timestamptz(3)',
  neverNull: true,
} as const;

/** What a list of media is narrowed to. */
export type ItemFilter = Pick<MediaQuery, 'mimeType' | 'q' | 'folderId'>;

/** A page of a list by its number, from 1. */
export interface NumberedPage {
  number: number;
  size: number;
}

/** The rows of a page of ready items. */
export async function selectItems(sql: Queryable, filter: ItemFilter, page: KeysetPage): Promise<ItemRow[]> {
  const params = new Parameters();
  const conditions = [...conditionsOf(filter, params), page.condition(params)];
  return sql.query<ItemRow>(
    `SELECT ${itemColumns} FROM media_items WHERE ${conditions.join(' AND ')} ${page.order(params)}`,
    params.values,
  );
}

/** The ready items of a numbered page; none past the end. */
export async function selectNumberedPage(
  sql: Queryable,
  filter: ItemFilter,
  { number, size }: NumberedPage,
): Promise<ItemRow[]> {
  const params = new Parameters();
  const conditions = conditionsOf(filter, params);
  return sql.query<ItemRow>(
    `SELECT ${itemColumns} FROM media_items WHERE ${conditions.join(' AND ')} ORDER BY created_at DESC, id DESC
     LIMIT ${params.add(size)} OFFSET ${params.add((number - 1) * size, 'bigint')}`,
    params.values,
  );
}

/** How many ready items there are. */
export async function countItems(sql: Queryable, filter: ItemFilter): Promise<number> {
  const params = new Parameters();
  const conditions = conditionsOf(filter, params);
  const [row] = await sql.query<{ count: number }>(
    `SELECT count(*) AS count FROM media_items WHERE ${conditions.join(' AND ')}`,
    params.values,
  );
  return row?.count ?? 0;
}

export async function selectItemById(sql: Queryable, id: string): Promise<ItemRow | undefined> {
  const [item] = await sql.query<ItemRow>(`SELECT ${itemColumns} FROM media_items WHERE id = $1`, [id]);
  return item;
}

/** The ready items among these. */
export async function selectItemsByIds(sql: Queryable, ids: readonly string[]): Promise<ItemRow[]> {
  return sql.query<ItemRow>({
    prepared: true,
    text: `SELECT ${itemColumns} FROM media_items WHERE id = ANY($1) AND status = 'ready'`,
    values: [ids],
  });
}

/**
 * Writes what is sent.
 * @returns undefined when there is no such item.
 * @throws QuireError NOT_FOUND when there is no such folder.
 */
export async function updateItem(
  sql: Queryable,
  id: string,
  change: MediaUpdate,
): Promise<ItemRow | undefined> {
  const params = new Parameters();
  const assignments = ['updated_at = now()'];
  const set = (column: string, value: unknown, cast: string) => {
    if (value !== undefined) assignments.push(`${column} = ${params.add(value, cast)}`);
  };
  set('alt', change.alt, 'text');
  set('caption', change.caption, 'text');
  set('width', change.width, 'integer');
  set('height', change.height, 'integer');
  set('folder_id', change.folderId, 'text');
  const [item] = await mapMissingFolder(() =>
    sql.query<ItemRow>(
      `UPDATE media_items SET ${assignments.join(', ')} WHERE id = ${params.add(id)} RETURNING ${itemColumns}`,
      params.values,
    ),
  );
  return item;
}

/** Removes an item. @returns what it was and where its bytes are; undefined when there is no such item */
export async function deleteItem(
  sql: Queryable,
  id: string,
): Promise<Pick<ItemRow, 'objectKey' | 'status'> | undefined> {
  const [removed] = await sql.query<Pick<ItemRow, 'objectKey' | 'status'>>(
    'DELETE FROM media_items WHERE id = $1 RETURNING object_key AS "objectKey", status',
    [id],
  );
  return removed;
}

/** Runs a statement that puts an item into a folder. @throws QuireError NOT_FOUND when there is no such folder */
export async function mapMissingFolder<Result>(write: () => Promise<Result>): Promise<Result> {
  try {
    return await write();
  } catch (error) {
    const isMissing =
      hasSqlState(error, sqlState.foreignKeyViolation) && error.constraint === 'media_items_folder_id_fkey';
    if (!isMissing) throw error;
    throw notFound('media folder');
  }
}

function conditionsOf({ mimeType, q, folderId }: ItemFilter, params: Parameters): string[] {
  const conditions = ["status = 'ready'"];
  if (mimeType !== undefined && mimeType.length > 0) {
    const exact = params.add(
      mimeType.filter((type) => !type.endsWith('/')),
      'text[]',
    );
    const beginnings = params.add(
      mimeType.filter((type) => type.endsWith('/')),
      'text[]',
    );
    conditions.push(
      `(mime_type = ANY (${exact}) OR split_part(mime_type, '/', 1) || '/' = ANY (${beginnings}))`,
    );
  }
  if (q !== undefined) {
    // Names are kept composed; what is copied from a Mac is decomposed.
    const pattern = likeContaining(q.normalize('NFC'));
    conditions.push(`filename ILIKE ${params.add(pattern, 'text')}`);
  }
  if (folderId === mainLibrary) conditions.push('folder_id IS NULL');
  else if (folderId !== undefined) conditions.push(`folder_id = ${params.add(folderId, 'text')}`);
  return conditions;
}
