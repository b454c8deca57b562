import { decodeCursor, encodeCursor } from '@quire/database';
import { QuireError } from '@quire/errors';
import { searchLimits } from '@quire/search-engine';

/** The opaque cursor of a page: hits are in order of relevance, so it is how many came before. */
export const cursorAt = (scope: string, offset: number) => encodeCursor(scope, { value: offset, id: '' });

/** How many hits come before the page of a cursor. @throws QuireError INVALID_CURSOR for one of another search */
export function offsetOf(scope: string, cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  const { value, id } = decodeCursor(scope, cursor, 'integer');
  if (typeof value === 'number' && value > 0 && value <= searchLimits.maxHits && id === '') return value;
  throw new QuireError('INVALID_CURSOR', 'cursor: is not one that this search returned');
}
