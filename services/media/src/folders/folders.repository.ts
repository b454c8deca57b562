import {
  columnsOf,
  hasSqlState,
  Parameters,
  sqlState,
  type KeysetPage,
  type Queryable,
} from '@quire/database';
import { QuireError } from '@quire/errors';
import { ulid } from '@quire/values';
import { MediaFolder } from './folder.entity.js';
import { folderNameDigest, folderNameKey } from './folder-name.js';
import type { FolderResponse } from './folders.schemas.js';

const columns = `${columnsOf(MediaFolder, { except: ['nameKey', 'nameDigest'] })},
  (SELECT count(*) FROM media_items WHERE folder_id = media_folders.id AND status = 'ready') AS "mediaCount"`;

/** A listed folder with its position in the list. */
export interface ListedFolder extends FolderResponse {
  nameKey: string;
}

/** Lists are ordered by the compared form of the name. */
export const folderOrder = {
  column: 'name_key',
  idColumn: 'id',
  direction: 'asc',
  cast: 'text',
  neverNull: true,
  from: 'media_folders',
} as const;

/** @returns the rows of one page. @param search a part of the name, in any spelling that compares as equal */
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
  if (!folder) throw new Error('INSERT INTO media_folders returned no row');
  return folder;
}

/**
 * @returns the renamed folder, or undefined when there is none with this id.
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

/** Deletes a folder; the foreign key of media_items moves its media out. @returns whether a row was deleted. */
export async function deleteFolderRow(sql: Queryable, id: string): Promise<boolean> {
  const deleted = await sql.query('DELETE FROM media_folders WHERE id = $1 RETURNING id', [id]);
  return deleted.length > 0;
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
