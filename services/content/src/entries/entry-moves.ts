import type { Transaction } from '@quire/database';
import type { CollectionDefinition } from '../schema/index.js';
import type { EntryRow } from './entry-row.js';

/** An entry that has another address on the live site from now on, or its first one. */
export interface EntryMove {
  tenantId: string;
  definition: CollectionDefinition;
  entry: { id: string; locale: string };
  /** Null when it was not on the live site, or had no address there. */
  fromSlug: string | null;
  toSlug: string;
}

/** Hears of entries that move on the live site or come to it, in the transaction that moves them. */
export abstract class EntryMoves {
  abstract moved(tx: Transaction, move: EntryMove): Promise<void>;
}

/** The slugs that an entry had and has on the live site, when its address there is another one from now on, or its first. */
export function slugsOfMove(
  { routable }: CollectionDefinition,
  before: EntryRow,
  after: Pick<EntryRow, 'status' | 'slug' | 'deletedAt'>,
): Pick<EntryMove, 'fromSlug' | 'toSlug'> | undefined {
  const fromSlug = before.status === 'published' ? before.slug : null;
  const isLive = after.status === 'published' && after.deletedAt === null;
  if (!routable || !isLive || after.slug === null || after.slug === fromSlug) return undefined;
  return { fromSlug, toSlug: after.slug };
}
