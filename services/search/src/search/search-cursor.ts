import { decodeCursor, encodeCursor } from '@quire/database';
import { QuireError } from '@quire/errors';
import { searchLimits } from '@quire/search-engine';

/** The opaque cursor of a page: the number of hits before it, since hits are ordered by relevance. */
export const cursorAt = (scope: string, offset: number) => encodeCursor(scope, { value: offset, id: '' });

/** @returns the number of hits before a page. @throws QuireError INVALID_CURSOR for the cursor of another search. */
export function offsetOf(scope: string, cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  const { value, id } = decodeCursor(scope, cursor, 'integer');
  if (typeof value === 'number' && value > 0 && value <= searchLimits.maxHits && id === '') return value;
  throw new QuireError('INVALID_CURSOR', 'cursor: is not one that this search returned');
}
