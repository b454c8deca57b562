import {
  assignmentsOf,
  columnsOf,
  hasSqlState,
  insertRow,
  Parameters,
  sqlState,
  type Queryable,
  type Row,
  type RowInput,
  type Transaction,
} from '@quire/database';
import { QuireError } from '@quire/errors';
import { ulid } from '@quire/values';
import { Collection } from './collection.entity.js';
import type { CollectionInput } from './collections.schemas.js';

export type StoredCollection = Row<Collection>;

const columns = columnsOf(Collection);

/** Limits the time for which a statement of a transaction waits for a lock. */
export async function setLockTimeout(tx: Transaction, timeoutMs: number): Promise<void> {
  await tx.query(`SET LOCAL lock_timeout = ${timeoutMs}`);
}

/** Lists in the panel: collections without a position follow the others. */
export const panelOrder = 'sort_order NULLS LAST, slug';

export function selectCollections(sql: Queryable, order: string): Promise<StoredCollection[]> {
  return sql.query<StoredCollection>(`SELECT ${columns} FROM collections ORDER BY ${order}`);
}

/** @returns id and slug of all collections, by slug. */
export function selectRegisteredCollections(
  sql: Queryable,
): Promise<Pick<StoredCollection, 'id' | 'slug'>[]> {
  return sql.query(
    `SELECT ${columnsOf(Collection, { only: ['id', 'slug'] })} FROM collections ORDER BY slug`,
  );
}

/** @param lock keeps the collection from being changed (UPDATE) or deleted (SHARE) until the transaction ends. */
export async function selectCollection(
  sql: Queryable,
  slug: string,
  { lock }: { lock?: 'FOR UPDATE' | 'FOR SHARE' } = {},
): Promise<StoredCollection | undefined> {
  const [collection] = await sql.query<StoredCollection>(
    `SELECT ${columns} FROM collections WHERE slug = $1 ${lock ?? ''}`,
    [slug],
  );
  return collection;
}

/** Locks all collections until the transaction ends. @returns their slugs. */
export async function lockCollectionSlugs(tx: Queryable): Promise<string[]> {
  const rows = await tx.query<{ slug: string }>('SELECT slug FROM collections ORDER BY id FOR UPDATE');
  return rows.map(({ slug }) => slug);
}

export function insertCollection(tx: Queryable, input: CollectionInput): Promise<StoredCollection> {
  const { hasSeo = input.supports.includes('seo') } = input;
  return insertRow(tx, Collection, { ...input, id: ulid(), hasSeo });
}

/** Updates the given columns; null clears one. @returns the row, or undefined when it does not exist. */
export async function updateCollectionRow(
  tx: Queryable,
  id: string,
  update: RowInput<Collection>,
): Promise<StoredCollection | undefined> {
  const params = new Parameters();
  const assignments = assignmentsOf(Collection, update, params).join(', ');
  const [collection] = await tx.query<StoredCollection>(
    `UPDATE collections SET ${assignments} WHERE id = ${params.add(id)} RETURNING ${columns}`,
    params.values,
  );
  return collection;
}

/**
 * Gives a collection a new version.
 * @param isUpdate whether it counts as changed by a user
 * @returns the row.
 */
export async function bumpCollection(
  tx: Queryable,
  id: string,
  isUpdate: boolean,
): Promise<StoredCollection | undefined> {
  const [collection] = await tx.query<StoredCollection>(
    `UPDATE collections SET version = version + 1, updated_at = CASE WHEN $2 THEN now() ELSE updated_at END
     WHERE id = $1 RETURNING ${columns}`,
    [id, isUpdate],
  );
  return collection;
}

/** Gives all collections a new version; none counts as changed by a user. */
export async function bumpCollectionVersions(tx: Queryable): Promise<void> {
  await tx.query('UPDATE collections SET version = version + 1');
}

/**
 * Gives the collections whose reference fields select from a changed one a new version: their statements contain its
 * title column.
 */
export async function bumpReferringCollections(
  tx: Queryable,
  { id, slug }: Pick<StoredCollection, 'id' | 'slug'>,
): Promise<void> {
  await tx.query(
    `UPDATE collections SET version = version + 1
     WHERE id <> $1 AND id IN (SELECT collection_id FROM fields WHERE validation ->> 'targetCollection' = $2)`,
    [id, slug],
  );
}

/** Orders the collections as `slugs` lists them; the others lose their position. */
export async function updateCollectionOrder(tx: Queryable, slugs: readonly string[]): Promise<void> {
  await tx.query('UPDATE collections SET sort_order = array_position($1::text[], slug) - 1', [slugs]);
}

/** Clears the title and the date field of a collection if they name this field. */
export async function clearFieldRoles(tx: Queryable, id: string, fieldSlug: string): Promise<void> {
  await tx.query(
    `UPDATE collections SET title_field = nullif(title_field, $2), date_field = nullif(date_field, $2) WHERE id = $1`,
    [id, fieldSlug],
  );
}

/** Deletes a collection with its fields. */
export async function deleteCollectionRow(tx: Queryable, id: string): Promise<void> {
  await tx.query('DELETE FROM collections WHERE id = $1', [id]);
}

/** @returns the API's error for a slug or a table name that is taken, and any other error as it is. */
export function toCollectionConflictError(slug: string, error: unknown): unknown {
  if (hasSqlState(error, sqlState.duplicateTable)) {
    const message = `An orphaned table '${slug}' exists: register it with POST /schema/orphans/${slug}, or remove it`;
    return new QuireError('COLLECTION_EXISTS', message, { cause: error });
  }
  if (!hasSqlState(error, sqlState.uniqueViolation) || error.constraint !== 'collections_slug') return error;
  return collectionExistsError(slug, error);
}

export function collectionExistsError(slug: string, cause?: unknown): QuireError {
  return new QuireError('COLLECTION_EXISTS', `Collection '${slug}' already exists`, { cause });
}
