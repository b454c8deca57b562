import { hasSqlState, Parameters, sqlState, type KeysetPage, type Queryable } from '@quire/database';
import { QuireError } from '@quire/errors';
import { ulid } from 'ulid';
import { folderNameDigest, folderNameKey } from './folder-name.js';
import type { FolderResponse } from './folders.schemas.js';

const columns = `id, name, created_at AS "createdAt", updated_at AS "updatedAt",
  (SELECT count(*) FROM media_items WHERE folder_id = media_folders.id AND status = 'ready') AS "mediaCount"`;

/** A listed folder, and where it stands in the list. */
export interface ListedFolder extends FolderResponse {
  nameKey: string;
}

/** Lists go by the name as it is compared. */
export const folderOrder = {
  column: 'name_key',
  idColumn: 'id',
  direction: 'asc',
  cast: 'text',
  neverNull: true,
  from: 'media_folders',
} as const;

/** The rows of a page of folders. @param search a part of the name, in any spelling that compares as equal */
export async function selectFolders(
  sql: Queryable,
  search: string | undefined,
  page: KeysetPage,
): Promise<ListedFolder[]> {
  const params = new Parameters();
  const conditions = [page.condition(params)];
  if (search !== undefined)
    conditions.push(`strpos(name_key, ${params.add(folderNameKey(search), 'text')}) > 0`);
  return sql.query<ListedFolder>(
    `SELECT ${columns}, name_key AS "nameKey" FROM media_folders WHERE ${conditions.join(' AND ')} ${page.order(params)}`,
    params.values,
  );
}

export async function selectFolderById(sql: Queryable, id: string): Promise<FolderResponse | undefined> {
  const [folder] = await sql.query<FolderResponse>(`SELECT ${columns} FROM media_folders WHERE id = $1`, [
    id,
  ]);
  return folder;
}

/** @throws QuireError CONFLICT when a folder has a name that compares as equal. */
export async function insertFolder(sql: Queryable, name: string): Promise<FolderResponse> {
  const nameKey = folderNameKey(name);
  const [folder] = await mapNameConflict(name, () =>
    sql.query<FolderResponse>(
      `INSERT INTO media_folders (id, name, name_key, name_digest) VALUES ($1, $2, $3, $4) RETURNING ${columns}`,
      [ulid(), name, nameKey, folderNameDigest(nameKey)],
    ),
  );
  if (!folder) throw new Error('An insert returned nothing');
  return folder;
}

/**
 * Gives a folder another name.
 * @returns undefined when there is no such folder.
 * @throws QuireError CONFLICT when another folder has a name that compares as equal.
 */
export async function updateFolderName(
  sql: Queryable,
  id: string,
  name: string,
): Promise<FolderResponse | undefined> {
  const nameKey = folderNameKey(name);
  const [folder] = await mapNameConflict(name, () =>
    sql.query<FolderResponse>(
      `UPDATE media_folders SET name = $2, name_key = $3, name_digest = $4, updated_at = now() WHERE id = $1
       RETURNING ${columns}`,
      [id, name, nameKey, folderNameDigest(nameKey)],
    ),
  );
  return folder;
}

/**
 * Removes a folder; its media are then in no folder, by the foreign key of their table.
 * @returns whether there was one
 */
export async function deleteFolderRow(sql: Queryable, id: string): Promise<boolean> {
  const removed = await sql.query('DELETE FROM media_folders WHERE id = $1 RETURNING id', [id]);
  return removed.length > 0;
}

async function mapNameConflict<Result>(name: string, write: () => Promise<Result>): Promise<Result> {
  try {
    return await write();
  } catch (error) {
    const isTaken =
      hasSqlState(error, sqlState.uniqueViolation) && error.constraint === 'media_folders_name_digest';
    if (!isTaken) throw error;
    throw new QuireError('CONFLICT', `A folder named '${name}' already exists`, { cause: error });
  }
}
