import { columnsOf, type Queryable } from '@quire/database';
import { SavedView } from './saved-view.entity.js';
import { maxViews, type SavedViewInput, type SavedViewResponse } from './saved-views.schemas.js';

/** The view of a request. */
export interface ViewKey {
  collection: string;
  id: string;
}

const columns = columnsOf(SavedView, { except: ['collection'] });
/** Shared views in a list. */
const maxShared = 500;

/** @returns the views of a collection that a user has saved, and shared ones of others, each by name. */
export function selectViews(
  sql: Queryable,
  collection: string,
  userId: string,
): Promise<SavedViewResponse[]> {
  const ofCollection = `SELECT ${columns} FROM saved_views WHERE collection = $1`;
  return sql.query<SavedViewResponse>(
    `${ofCollection} AND owner_id = $2
     UNION ALL (${ofCollection} AND owner_id <> $2 AND is_shared ORDER BY name, id LIMIT ${maxShared})
     ORDER BY name, id`,
    [collection, userId],
  );
}

/** @returns a view of any user. @param lock keeps it from being changed until the transaction ends */
export async function selectView(
  sql: Queryable,
  { collection, id }: ViewKey,
  lock: '' | 'FOR UPDATE' = '',
): Promise<SavedViewResponse | undefined> {
  const [view] = await sql.query<SavedViewResponse>(
    `SELECT ${columns} FROM saved_views WHERE id = $1 AND collection = $2 ${lock}`,
    [id, collection],
  );
  return view;
}

/**
 * Saves a view of its owner, instead of a former one with the id.
 * @returns undefined for the id of another user's or another collection's view, and for a new view above the limit
 */
export async function upsertView(
  tx: Queryable,
  { collection, id }: ViewKey,
  ownerId: string,
  { name, search, isShared }: SavedViewInput,
): Promise<SavedViewResponse | undefined> {
  const [view] = await tx.query<SavedViewResponse>(
    `INSERT INTO saved_views AS v (id, collection, owner_id, name, search, is_shared)
     SELECT $1, $2, $3, $4, $5, $6
     WHERE (SELECT count(*) FROM saved_views WHERE collection = $2 AND owner_id = $3 AND id <> $1) < ${maxViews}
     ON CONFLICT (id) DO UPDATE SET name = excluded.name, search = excluded.search, is_shared = excluded.is_shared,
       updated_at = now()
     WHERE v.owner_id = $3 AND v.collection = $2
     RETURNING ${columns}`,
    [id, collection, ownerId, name, search, isShared],
  );
  return view;
}

export async function deleteViewRow(tx: Queryable, id: string): Promise<void> {
  await tx.query('DELETE FROM saved_views WHERE id = $1', [id]);
}
