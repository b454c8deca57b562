import { isStorableText, normaliseDatetime } from '@quire/content-model';
import { decodeCursor, type KeysetPosition } from '@quire/database';
import { QuireError } from '@quire/errors';

/**
 * The position that a cursor names in a list ordered by a column of type `cast`. A cursor is not signed: a forged one may
 * name a value that the column cannot be compared with.
 * @throws QuireError INVALID_CURSOR
 */
export function pagePosition(scope: string, cursor: string, cast: string): KeysetPosition {
  const position = decodeCursor(scope, cursor);
  if (isComparable(position.value, cast) && isStorableText(position.id)) return position;
  throw new QuireError('INVALID_CURSOR', 'cursor: is not one that this list returned');
}

function isComparable(value: KeysetPosition['value'], cast: string): boolean {
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
