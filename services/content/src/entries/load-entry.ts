import type { Context } from '@quire/context';
import { hasSqlState, sqlState, type Queryable } from '@quire/database';
import { notFound } from '@quire/errors';
import type { CollectionDefinition } from '../schema/index.js';
import { canSeeDrafts } from './entries.policy.js';
import type { Locales } from '../locales/index.js';
import type { EntryDeps } from './entry-deps.js';
import { collectionBusyError } from './entry-errors.js';
import type { EntryRow } from './entry-row.js';
import { findEntry, type FindOptions } from './repository/find-entry.js';

/** The entry that a request names. */
export interface EntryTarget {
  collection: string;
  /** An id or a slug. */
  id: string;
  /** Selects the entry of a slug that several locales have. */
  locale?: string | undefined;
  /** Ignores another user's lease on the entry. */
  overrideLock?: boolean | undefined;
}

/** Attempts at work whose collection keeps changing. */
const maxAttempts = 4;

/** SQLSTATEs of statements that were built for another version of the table. */
const staleDefinitionStates = [
  sqlState.undefinedTable,
  sqlState.undefinedColumn,
  sqlState.cachedPlanChanged,
  '42804', // datatype mismatch
  '42883', // undefined operator
  '22P02', // invalid text representation
  '22003', // numeric value out of range
  '22007', // invalid datetime format
];

/** Whether a statement was built for another version of a collection's table. */
export const isOfStaleDefinition = (error: unknown) => hasSqlState(error, ...staleDefinitionStates);

/**
 * Runs work with the cached definition of a collection. If another process has just changed the table, runs it again
 * with the new definition.
 * @throws QuireError COLLECTION_NOT_FOUND, and what `work` throws.
 */
export async function withDefinition<Result>(
  ctx: Context,
  { definitions }: Pick<EntryDeps, 'definitions'>,
  collection: string,
  work: (definition: CollectionDefinition) => Promise<Result>,
): Promise<Result> {
  let definition = await definitions.get(ctx, collection);
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    try {
      return await work(definition);
    } catch (error) {
      if (!isOfStaleDefinition(error)) throw error;
      const { statementKey } = definition;
      definitions.invalidate(ctx.principal.tenant.id);
      definition = await definitions.get(ctx, collection);
      if (definition.statementKey === statementKey) throw error;
    }
  }
  throw collectionBusyError();
}

/** @returns the entry that a request names. @throws QuireError NOT_FOUND, VALIDATION_ERROR (locale). */
export async function loadEntry(
  sql: Queryable,
  locales: Locales,
  definition: CollectionDefinition,
  { id, locale }: EntryTarget,
  options: FindOptions,
): Promise<EntryRow> {
  const requested = locale === undefined ? undefined : locales.requested(locale);
  const address = { idOrSlug: id, locale: requested, defaultLocale: locales.default };
  const row = await findEntry(sql, definition, address, options);
  if (!row) throw notFound('entry', id);
  return row;
}

/** @returns the rows that a reader may see. */
export function readableRows(ctx: Context): FindOptions['rows'] {
  return canSeeDrafts(ctx.principal) ? 'not-trashed' : 'published';
}
