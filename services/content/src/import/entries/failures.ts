import { hasSqlState, sqlState, type DatabaseFailure } from '@quire/database';
import { QuireError } from '@quire/errors';
import { isOfStaleDefinition } from '../../entries/index.js';
import { slugIndexName, uniqueIndexName, type CollectionDefinition } from '../../schema/index.js';
import type { Failure } from './importer.js';

/** A collection has changed between the check of its entries and their insert. */
export class OutdatedDefinitionError extends Error {
  constructor(collection: string) {
    super(`The collection '${collection}' has changed`);
  }
}

/** Whether another writer was faster: the same work succeeds when it is decided again. */
export function isRace(error: unknown, definitions: readonly CollectionDefinition[]): boolean {
  if (error instanceof OutdatedDefinitionError || isOfStaleDefinition(error)) return true;
  if (error instanceof QuireError) return error.code === 'SLUG_CONFLICT';
  if (hasSqlState(error, sqlState.deadlock, sqlState.serialization, sqlState.foreignKeyViolation))
    return true;
  return hasSqlState(error, sqlState.uniqueViolation) && uniqueFieldOf(error, definitions) === undefined;
}

/** @returns the field of a unique value that another entry has; undefined for any other failure. */
export function uniqueFieldOf(
  error: unknown,
  definitions: readonly CollectionDefinition[],
): string | undefined {
  if (error instanceof QuireError && error.code === 'CONFLICT') return conflictingField(error);
  if (!hasSqlState(error, sqlState.uniqueViolation)) return undefined;
  const { constraint } = error as DatabaseFailure;
  for (const { table, columns } of definitions) {
    if (constraint === slugIndexName(table)) return undefined;
    const field = columns.find(({ slug, unique }) => unique && constraint === uniqueIndexName(table, slug));
    if (field) return field.slug;
  }
  return undefined;
}

/** The field that an update of an entry names in its error. */
function conflictingField({ details }: QuireError): string | undefined {
  const field = details?.['field'];
  return typeof field === 'string' ? field : undefined;
}

/** Whether the failure is not that of an entry: the whole call is repeated later. */
export function isOfService(error: unknown): boolean {
  return error instanceof QuireError && error.status >= 500;
}

/** Whether the site has its maximum of entries: a draft of the entry would be refused too. */
export function isOverLimit(error: unknown): boolean {
  return error instanceof QuireError && error.code === 'ENTRY_LIMIT_EXCEEDED';
}

/** The failure of an entry, without details of the database. */
export function toFailure(error: unknown): Failure {
  if (error instanceof QuireError) return { code: error.code, message: error.message };
  return { code: 'IMPORT_ERROR', message: 'The entry could not be saved' };
}
