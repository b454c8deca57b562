import type { Context } from '@quire/context';
import { hasSqlState, sqlState, type DatabaseFailure } from '@quire/database';
import { QuireError } from '@quire/errors';
import type { AuthClient } from '../clients/index.js';
import { slugIndexName, uniqueIndexName, type CollectionDefinition } from '../schema/index.js';
import type { EntryRow } from './entry-row.js';
import { selectLastEdit } from './repository/find-entry.js';

/** A write whose `_rev` is not that of the entry's present state; see `toStaleEntryError`. */
export class StaleEntryError extends QuireError {
  constructor(readonly row: Pick<EntryRow, 'id' | 'updatedAt'>) {
    super('CONFLICT', 'The entry has changed since it was read; read it again before writing');
  }
}

/**
 * Aborts a decision that needs data of another service while rows are locked. The transaction ends, `request` fetches
 * the data, and the decision runs again.
 */
export class LookupRequired extends Error {
  constructor(readonly request: () => Promise<void>) {
    super('Data of another service is missing');
  }
}

/** The last change of an entry (decision 51). */
interface LastEdit {
  /** Null for changes by Quire itself, and in rows that are older than the column. */
  editedBy: { id: string; name: string | null } | null;
  editedAt: string;
}

/** @returns the conflict of a stale `_rev`, with `editedBy` and `editedAt` of the present state in its details. */
export async function toStaleEntryError(
  ctx: Context,
  users: AuthClient,
  { definition, stale }: { definition: Pick<CollectionDefinition, 'table'>; stale: StaleEntryError },
): Promise<QuireError> {
  const { id, updatedAt } = stale.row;
  const edit = await selectLastEdit(ctx.db, definition, id);
  const userId = edit?.userId ?? null;
  const details: LastEdit = {
    editedBy: userId === null ? null : { id: userId, name: await users.nameOrNull(ctx, userId) },
    editedAt: edit?.editedAt ?? updatedAt,
  };
  return new QuireError('CONFLICT', stale.message, { details: { ...details }, cause: stale });
}

/** @returns the error of a write that lost against changes of its collection in every attempt. */
export function collectionBusyError(): QuireError {
  return new QuireError('SERVICE_UNAVAILABLE', 'The collection is being changed. Retry later.', {
    retryAfterSeconds: 1,
  });
}

/**
 * For `catch`: a transaction that lost against another one, or that names a row which another one has just deleted (a
 * byline), is decided again.
 */
export function retryAfterRace(error: unknown): undefined {
  if (hasSqlState(error, sqlState.deadlock, sqlState.serialization, sqlState.foreignKeyViolation))
    return undefined;
  throw error;
}

/** @returns the error of a slug that another entry of the locale has. */
export function slugConflict(slug: string | null | undefined, cause?: unknown): QuireError {
  const named = typeof slug === 'string' ? `'${slug}' is ` : '';
  const message = `slug: ${named}already used by another entry of this locale`;
  return new QuireError('SLUG_CONFLICT', message, { cause });
}

/**
 * @param slug that the write has given the entry
 * @returns the API's error for a violated unique index, SLUG_CONFLICT or a CONFLICT that names the field (decision 10),
 *   and any other error as it is.
 */
export function toConflictError(
  definition: CollectionDefinition,
  error: unknown,
  slug?: string | null,
): unknown {
  if (!hasSqlState(error, sqlState.uniqueViolation)) return error;
  const { constraint } = error as DatabaseFailure;
  if (constraint === slugIndexName(definition.table)) {
    return slugConflict(slug, error);
  }
  const field = definition.columns.find(({ slug }) => constraint === uniqueIndexName(definition.table, slug));
  if (!field) {
    const message = 'The translation group already has an entry in this locale';
    return new QuireError('CONFLICT', message, { cause: error });
  }
  return new QuireError('CONFLICT', `${field.slug}: value already used by another entry`, {
    details: { field: field.slug },
    cause: error,
  });
}
