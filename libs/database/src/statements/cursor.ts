import { createHash } from 'node:crypto';
import { isStorableText, normaliseDatetime } from '@quire/values';
import { QuireError } from '@quire/errors';

/** Where a page ended: the value it is ordered by (null sorts first ascending, last descending) and the row's id. */
export interface KeysetPosition {
  value: string | number | null;
  id: string;
  /** The value is the beginning of a longer one, which the row of this id has. */
  isCut?: true;
}

/** What lists take as a cursor (contract 2). */
const maxCursorLength = 2048;
/** Characters of a cut value; even of those that JSON spells longest, so many fit into a cursor. */
const cutLength = 200;

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

/**
 * The opaque `nextCursor` after a row.
 * @param isFound whether the list can look the row up; then of a text that makes the cursor too long only the beginning
 *   stands in it
 */
export function encodeCursor(scope: string, { value, id }: KeysetPosition, isFound = false): string {
  const whole = asCursor([scope, value, id]);
  if (whole.length <= maxCursorLength || typeof value !== 'string' || !isFound) return whole;
  const beginning = [...value].slice(0, cutLength).join('');
  return asCursor([scope, beginning, id, cutMark]);
}

const cutMark = 'cut';
const asCursor = (parts: unknown[]) => Buffer.from(JSON.stringify(parts)).toString('base64url');

/**
 * The position that a cursor names in a list ordered by a column of type `cast`. A cursor is not signed: a forged one
 * may name a value that the column cannot be compared with.
 * @throws QuireError INVALID_CURSOR for anything that `encodeCursor` did not make for the same scope.
 */
export function decodeCursor(scope: string, cursor: string, cast: string): KeysetPosition {
  if (cursor.length > maxCursorLength) throw invalidCursor();
  let decoded: unknown;
  try {
    decoded = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    throw invalidCursor();
  }
  if (!Array.isArray(decoded)) throw invalidCursor();
  const [boundTo, value, id, ...mark] = decoded as unknown[];
  const isCut = mark.length === 1 && mark[0] === cutMark && cast === 'text' && value !== null;
  if (mark.length > 0 && !isCut) throw invalidCursor();
  if (boundTo !== scope || !isComparable(value, cast)) throw invalidCursor();
  if (typeof id !== 'string' || !isStorableText(id)) throw invalidCursor();
  return { value: value as KeysetPosition['value'], id, ...(isCut && { isCut }) };
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
  /** The table of both, as the statement names it: where a value that is too long for a cursor is looked up. */
  from?: string;
}

/**
 * The SQL condition "comes after this position" in the order of `keysetOrder`; nulls come first ascending and last
 * descending (decision 5). `place` adds a parameter.
 */
export function afterPosition(
  columns: KeysetColumns,
  position: KeysetPosition,
  place: (value: unknown, cast?: string) => string,
): string {
  const { column, idColumn, direction, cast, neverNull = false } = columns;
  const id = place(position.id);
  const beyond = direction === 'asc' ? '>' : '<';
  if (position.value === null) {
    const laterNulls = `(${column} IS NULL AND ${idColumn} ${beyond} ${id})`;
    return direction === 'asc' ? `(${laterNulls} OR ${column} IS NOT NULL)` : laterNulls;
  }
  const value = position.isCut ? wholeValue(columns, position, id, place) : place(position.value, cast);
  const later = `(${column}, ${idColumn}) ${beyond} (${value}, ${id})`;
  return direction === 'asc' || neverNull ? later : `(${later} OR ${column} IS NULL)`;
}

/** Sorts behind everything that can follow the beginning of a text. */
const lastCharacter = '\u{10FFFF}';

/**
 * SQL of the value that a cursor holds the beginning of, looked up in its row. When the row is gone or has another
 * value, the page begins where values with this beginning do: some rows may come again, none is left out.
 */
function wholeValue(
  { column, idColumn, direction, cast, from }: KeysetColumns,
  { value }: KeysetPosition,
  id: string,
  place: (value: unknown, cast?: string) => string,
): string {
  const beginning = place(value, cast);
  const edge = direction === 'asc' ? beginning : place(`${String(value)}${lastCharacter}`, cast);
  if (from === undefined) return edge;
  return `coalesce((SELECT ${column} FROM ${from} WHERE ${idColumn} = ${id} AND starts_with(${column}, ${beginning})), ${edge})`;
}

/** ORDER BY text that goes with `afterPosition`. */
export function keysetOrder({ column, idColumn, direction, neverNull = false }: KeysetColumns): string {
  const way = direction.toUpperCase();
  const nulls = direction === 'asc' ? ' NULLS FIRST' : ' NULLS LAST';
  return `${column} ${way}${neverNull ? '' : nulls}, ${idColumn} ${way}`;
}
