import { createHash } from 'node:crypto';
import { isStorableText, normaliseDatetime } from '@quire/values';
import { QuireError } from '@quire/errors';

/**
 * The end of a page: the value of the ordering column (null sorts first ascending, last descending) and the row's id.
 */
export interface KeysetPosition {
  value: string | number | null;
  id: string;
  /** The value is a prefix of the longer value in the row of this id. */
  isCut?: true;
}

/** Maximum length of a cursor as a query parameter (contract 2). */
const maxCursorLength = 2048;
/** Length of a truncated value; even characters with the longest JSON escapes fit into a cursor. */
const cutLength = 200;

function invalidCursor(): QuireError {
  return new QuireError(
    'INVALID_CURSOR',
    'cursor: is not one that this list with this order and these filters returned',
  );
}

/**
 * A short fingerprint of everything that a cursor is bound to (decision 17): operation, tenant, collection, order,
 * filters. Undefined parts count as absent.
 */
export function cursorScope(parts: Record<string, unknown>): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 16);
}

/**
 * The opaque `nextCursor` after a row.
 * @param isFound whether the list can look the row up; then a text that makes the cursor too long is truncated
 */
export function encodeCursor(scope: string, { value, id }: KeysetPosition, isFound = false): string {
  const whole = asCursor([scope, value, id]);
  if (whole.length <= maxCursorLength || typeof value !== 'string' || !isFound) return whole;
  const prefix = [...value].slice(0, cutLength).join('');
  return asCursor([scope, prefix, id, cutMark]);
}

const cutMark = 'cut';
const asCursor = (parts: unknown[]) => Buffer.from(JSON.stringify(parts)).toString('base64url');

/**
 * The position of a cursor in a list ordered by a column of type `cast`. A cursor is not signed: a forged one may have
 * a value that cannot be compared with the column.
 * @throws QuireError INVALID_CURSOR for a text that `encodeCursor` did not return for the same scope
 */
export function decodeCursor(scope: string, cursor: string, cast: string): KeysetPosition {
  if (cursor.length > maxCursorLength) throw invalidCursor();
  const bytes = Buffer.from(cursor, 'base64url');
  // Decoding ignores characters that do not belong there.
  if (bytes.toString('base64url') !== cursor) throw invalidCursor();
  let decoded: unknown;
  try {
    decoded = JSON.parse(bytes.toString('utf8'));
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

/** The order of a list: quoted SQL of the columns, and the type of the first. */
export interface KeysetColumns {
  column: string;
  idColumn: string;
  direction: 'asc' | 'desc';
  cast: string;
  /** The first column has a value in every row. Stated, a plain index on both columns serves the list. */
  neverNull?: boolean;
  /** The first column has the same value in every row: the list is ordered by the id. */
  isConstant?: boolean;
  /** Of a column that is never null: its index has the nulls first all the same, which the ORDER BY must fit. */
  hasNullsFirstIndex?: boolean;
  /** No index on both columns has the nulls first: rows without a value are always read apart, by id. */
  hasSeparateNulls?: boolean;
  /** The table of both, as the statement names it: for the look-up of a value that is too long for a cursor. */
  from?: string;
}

/** A part of a list that one index returns in order. */
export interface KeysetRange {
  /** SQL condition of its rows. */
  condition: string;
  /** Its ORDER BY text. */
  order: string;
}

/**
 * The rows that come after a position in the order of `keysetOrder`, or all rows without one: those with and those
 * without a value apart where one condition would need OR, which no index serves. Nulls come first ascending and last
 * descending (decision 5). `addParameter` adds a parameter.
 */
export function keysetRanges(
  columns: KeysetColumns,
  position: KeysetPosition | undefined,
  addParameter: (value: unknown, cast?: string) => string,
): KeysetRange[] {
  const { column, idColumn, direction, hasSeparateNulls = false } = columns;
  const way = direction.toUpperCase();
  const whole = keysetOrder(columns);
  if (position === undefined && !hasSeparateNulls) return [{ condition: 'true', order: whole }];
  const { values, nulls } = conditionsAfter(columns, position, addParameter);
  const ranges = [
    ...(nulls === undefined
      ? []
      : [{ condition: nulls, order: hasSeparateNulls ? `${idColumn} ${way}` : whole }]),
    ...(values === undefined
      ? []
      : [
          {
            condition: values,
            order: hasSeparateNulls ? `${column} ${way}, ${idColumn} ${way}` : whole,
          },
        ]),
  ];
  return direction === 'asc' ? ranges : ranges.reverse();
}

/** The conditions of the rows with and of those without a value; undefined where none comes after the position. */
function conditionsAfter(
  columns: KeysetColumns,
  position: KeysetPosition | undefined,
  addParameter: (value: unknown, cast?: string) => string,
): { values?: string; nulls?: string } {
  const { column, idColumn, direction, cast, neverNull = false, hasSeparateNulls = false } = columns;
  const allValues = `${column} IS NOT NULL`;
  const allNulls = `${column} IS NULL`;
  if (position === undefined) return { values: allValues, nulls: allNulls };
  const id = addParameter(position.id);
  const beyond = direction === 'asc' ? '>' : '<';
  if (columns.isConstant) return { values: `${idColumn} ${beyond} ${id}` };
  if (position.value === null) {
    const nulls = `${allNulls} AND ${idColumn} ${beyond} ${id}`;
    return direction === 'asc' ? { values: allValues, nulls } : { nulls };
  }
  const value = position.isCut
    ? wholeValue(columns, position, id, addParameter)
    : addParameter(position.value, cast);
  const later = `(${column}, ${idColumn}) ${beyond} (${value}, ${id})`;
  // PostgreSQL does not conclude it from the comparison, and an index may have only the values.
  const values = hasSeparateNulls ? `${later} AND ${allValues}` : later;
  return direction === 'asc' || neverNull ? { values } : { values, nulls: allNulls };
}

/** Sorts after every character that can follow a prefix. */
const lastCharacter = '\u{10FFFF}';

/**
 * SQL of the whole value of a truncated one in a cursor, looked up in its row. When the row is deleted or has another
 * value, the page begins at the values with this prefix: some rows may be repeated, none is left out.
 */
function wholeValue(
  { column, idColumn, direction, cast, from }: KeysetColumns,
  { value }: KeysetPosition,
  id: string,
  addParameter: (value: unknown, cast?: string) => string,
): string {
  const prefix = addParameter(value, cast);
  const edge = direction === 'asc' ? prefix : addParameter(`${String(value)}${lastCharacter}`, cast);
  if (from === undefined) return edge;
  return `coalesce((SELECT ${column} FROM ${from} WHERE ${idColumn} = ${id} AND starts_with(${column}, ${prefix})), ${edge})`;
}

/** ORDER BY text of the whole list. */
export function keysetOrder({
  column,
  idColumn,
  direction,
  neverNull = false,
  hasNullsFirstIndex = false,
}: KeysetColumns): string {
  const way = direction.toUpperCase();
  const nulls = direction === 'asc' ? ' NULLS FIRST' : ' NULLS LAST';
  return `${column} ${way}${neverNull && !hasNullsFirstIndex ? '' : nulls}, ${idColumn} ${way}`;
}
