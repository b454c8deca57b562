import { createHash } from 'node:crypto';
import { isStorableText, normaliseDatetime } from '@quire/content-model';
import { QuireError } from '@quire/errors';

/** Where a page ended: the value it is ordered by (null sorts first ascending, last descending) and the row's id. */
export interface KeysetPosition {
  value: string | number | null;
  id: string;
}

const maximumCursorLength = 2048;

function invalidCursor(): QuireError {
  return new QuireError(
    'INVALID_CURSOR',
    'cursor: is not one that this list with this order and these filters returned',
  );
}

/**
 * A short fingerprint of everything a cursor is bound to (decision 17): operation, tenant, collection, order, filters.
 * Undefined parts count as absent.
 */
export function cursorScope(parts: Record<string, unknown>): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 16);
}

/** The opaque `nextCursor` after a row. */
export function encodeCursor(scope: string, position: KeysetPosition): string {
  return Buffer.from(JSON.stringify([scope, position.value, position.id])).toString('base64url');
}

/**
 * The position that a cursor names in a list ordered by a column of type `cast`. A cursor is not signed: a forged one may
 * name a value that the column cannot be compared with.
 * @throws QuireError INVALID_CURSOR for anything that `encodeCursor` did not make for the same scope.
 */
export function decodeCursor(scope: string, cursor: string, cast: string): KeysetPosition {
  if (cursor.length > maximumCursorLength) throw invalidCursor();
  let decoded: unknown;
  try {
    decoded = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    throw invalidCursor();
  }
  if (!Array.isArray(decoded) || decoded.length !== 3) throw invalidCursor();
  const [boundTo, value, id] = decoded as unknown[];
  if (boundTo !== scope || !isComparable(value, cast)) throw invalidCursor();
  if (typeof id !== 'string' || !isStorableText(id)) throw invalidCursor();
  return { value: value as KeysetPosition['value'], id };
}

function isComparable(value: unknown, cast: string): boolean {
  if (value === null) return true;
  switch (cast) {
    case 'double precision':
      return typeof value === 'number';
    case 'bigint':
    case 'integer':
      return Number.isSafeInteger(value);
    case 'smallint':
      return value === 0 || value === 1;
    case 'timestamptz':
    case 'timestamptz(3)':
      return typeof value === 'string' && normaliseDatetime(value) !== null;
    default:
      return typeof value === 'string' && isStorableText(value);
  }
}

/** What a list is ordered by: quoted SQL of the columns, and the type of the first. */
export interface KeysetColumns {
  column: string;
  idColumn: string;
  direction: 'asc' | 'desc';
  cast: string;
  /** The first column has a value in every row. Said so, a plain index on both answers the list. */
  neverNull?: boolean;
}

/**
 * The SQL condition "comes after this position" in the order of `keysetOrder`; nulls come first ascending and last descending
 * (decision 5). `place` adds a parameter.
 */
export function afterPosition(
  { column, idColumn, direction, cast, neverNull = false }: KeysetColumns,
  position: KeysetPosition,
  place: (value: unknown, cast?: string) => string,
): string {
  const id = place(position.id);
  const beyond = direction === 'asc' ? '>' : '<';
  if (position.value === null) {
    const laterNulls = `(${column} IS NULL AND ${idColumn} ${beyond} ${id})`;
    return direction === 'asc' ? `(${laterNulls} OR ${column} IS NOT NULL)` : laterNulls;
  }
  const value = place(position.value, cast);
  const later = `(${column}, ${idColumn}) ${beyond} (${value}, ${id})`;
  return direction === 'asc' || neverNull ? later : `(${later} OR ${column} IS NULL)`;
}

/** ORDER BY text that goes with `afterPosition`. */
export function keysetOrder({ column, idColumn, direction, neverNull = false }: KeysetColumns): string {
  const way = direction.toUpperCase();
  const nulls = direction === 'asc' ? ' NULLS FIRST' : ' NULLS LAST';
  return `${column} ${way}${neverNull ? '' : nulls}, ${idColumn} ${way}`;
}
