import {
  assignmentsOf,
  columnsOf,
  hasSqlState,
  likeContaining,
  Parameters,
  sqlState,
  type KeysetPage,
  type Queryable,
  type Row,
} from '@quire/database';
import { notFound } from '@quire/errors';
import { MediaItem } from './item.entity.js';
import { mainLibrary, type MediaQuery, type MediaUpdate } from './items.schemas.js';

/** A stored item with the public form of its hash: "sha256:…". */
export type ItemRow = Omit<Row<MediaItem>, 'sha256'>;

export const itemColumns = `${columnsOf(MediaItem, { except: ['contentHash', 'sha256'] })},
  'sha256:' || sha256 AS "contentHash"`;

/** Lists are ordered from the newest to the oldest. */
export const itemOrder = {
  column: 'created_at',
  idColumn: 'id',
  direction: 'desc',
  cast: 'timestamptz(3)',
  neverNull: true,
} as const;

/** Filters of a list of media. */
export type ItemFilter = Pick<MediaQuery, 'mimeType' | 'q' | 'folderId'>;

/** A page of a list by its number, from 1. */
export interface NumberedPage {
  number: number;
  size: number;
}

/** @returns the ready items of one page. */
export async function selectItems(sql: Queryable, filter: ItemFilter, page: KeysetPage): Promise<ItemRow[]> {
  const params = new Parameters();
  const conditions = [...conditionsOf(filter, params), page.condition(params)];
  return sql.query<ItemRow>(
    `SELECT ${itemColumns} FROM media_items WHERE ${conditions.join(' AND ')} ${page.order(params)}`,
    params.values,
  );
}

/**
 * Finds the items of the page before it reads their other columns: the items before the page are read in an index.
 * @returns the ready items of a numbered page; none past the last one.
 */
export async function selectNumberedPage(
  sql: Queryable,
  filter: ItemFilter,
  { number, size }: NumberedPage,
): Promise<ItemRow[]> {
  const params = new Parameters();
  const conditions = conditionsOf(filter, params);
  return sql.query<ItemRow>(
    `SELECT ${itemColumns} FROM media_items JOIN (
       SELECT id FROM media_items WHERE ${conditions.join(' AND ')} ORDER BY created_at DESC, id DESC
       LIMIT ${params.add(size)} OFFSET ${params.add((number - 1) * size, 'bigint')}
     ) page USING (id) ORDER BY created_at DESC, id DESC`,
    params.values,
  );
}

/** @returns the number of ready items. */
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

/** @returns those of the ids that an item has, ready or not. */
export async function selectExistingIds(sql: Queryable, ids: readonly string[]): Promise<Set<string>> {
  const items = await sql.query<{ id: string }>('SELECT id FROM media_items WHERE id = ANY($1)', [ids]);
  return new Set(items.map(({ id }) => id));
}

/** @returns the ready item with a storage key. */
export async function selectItemByStorageKey(
  sql: Queryable,
  storageKey: string,
): Promise<ItemRow | undefined> {
  const [item] = await sql.query<ItemRow>({
    prepared: true,
    text: `SELECT ${itemColumns} FROM media_items WHERE storage_key = $1 AND status = 'ready'`,
    values: [storageKey],
  });
  return item;
}

/** @returns the ready items with these ids, in no order. */
export async function selectItemsByIds(sql: Queryable, ids: readonly string[]): Promise<ItemRow[]> {
  return sql.query<ItemRow>({
    prepared: true,
    text: `SELECT ${itemColumns} FROM media_items WHERE id = ANY($1) AND status = 'ready'`,
    values: [ids],
  });
}

/** @returns the ready items with these storage keys, in no order. */
export async function selectItemsByStorageKeys(sql: Queryable, keys: readonly string[]): Promise<ItemRow[]> {
  return sql.query<ItemRow>({
    prepared: true,
    text: `SELECT ${itemColumns} FROM media_items WHERE storage_key = ANY($1) AND status = 'ready'`,
    values: [keys],
  });
}

/**
 * Updates the given columns.
 * @returns the row, or undefined when there is no such item.
 * @throws QuireError NOT_FOUND when there is no such folder.
 */
export async function updateItem(
  sql: Queryable,
  id: string,
  update: MediaUpdate,
): Promise<ItemRow | undefined> {
  const params = new Parameters();
  const assignments = [...assignmentsOf(MediaItem, update, params), 'updated_at = now()'];
  const [item] = await mapMissingFolder(() =>
    sql.query<ItemRow>(
      `UPDATE media_items SET ${assignments.join(', ')} WHERE id = ${params.add(id)} RETURNING ${itemColumns}`,
      params.values,
    ),
  );
  return item;
}

/** Deletes an item. @returns its object and status, or undefined when there is no such item. */
export async function deleteItem(
  sql: Queryable,
  id: string,
): Promise<Pick<ItemRow, 'objectKey' | 'status'> | undefined> {
  const [deleted] = await sql.query<Pick<ItemRow, 'objectKey' | 'status'>>(
    'DELETE FROM media_items WHERE id = $1 RETURNING object_key AS "objectKey", status',
    [id],
  );
  return deleted;
}

/** Runs a statement that sets the folder of an item. @throws QuireError NOT_FOUND when there is no such folder. */
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

/** As in the index of types. */
const byBytes = 'mime_type COLLATE "C"';

function conditionsOf({ mimeType, q, folderId }: ItemFilter, params: Parameters): string[] {
  const conditions = ["status = 'ready'"];
  if (mimeType !== undefined && mimeType.length > 0) {
    const exact = mimeType.filter((type) => !type.endsWith('/'));
    const beginnings = mimeType.filter((type) => type.endsWith('/'));
    const alternatives = beginnings.map((type) => `starts_with(${byBytes}, ${params.add(type, 'text')})`);
    if (exact.length > 0) alternatives.push(`${byBytes} = ANY (${params.add(exact, 'text[]')})`);
    conditions.push(`(${alternatives.join(' OR ')})`);
  }
  if (q !== undefined) {
    // File names are stored composed (NFC); macOS copies them decomposed.
    const pattern = likeContaining(q.normalize('NFC'));
    conditions.push(`filename ILIKE ${params.add(pattern, 'text')}`);
  }
  if (folderId === mainLibrary) conditions.push('folder_id IS NULL');
  else if (folderId !== undefined) conditions.push(`folder_id = ${params.add(folderId, 'text')}`);
  return conditions;
}
