import type { Transaction } from '@quire/database';
import type { CollectionDefinition } from '../schema/index.js';
import type { EntryRow } from './entry-row.js';

/** The public URL of an entry has changed, or the entry got its first one. */
export interface EntryUrlChange {
  tenantId: string;
  definition: CollectionDefinition;
  entry: { id: string; locale: string };
  /** Null when it was not on the live site, or had no address there. */
  fromSlug: string | null;
  toSlug: string;
}

/** Is called in the transaction that changes or creates the public URL of a live entry. */
export abstract class EntryUrlListener {
  abstract onUrlChanged(tx: Transaction, move: EntryUrlChange): Promise<void>;
}

/**
 * The slugs that an entry had and has on the live site, when its address there is another one from now on, or its
 * first.
 */
export function liveSlugChange(
  { routable }: CollectionDefinition,
  before: EntryRow,
  after: Pick<EntryRow, 'status' | 'slug' | 'deletedAt'>,
): Pick<EntryUrlChange, 'fromSlug' | 'toSlug'> | undefined {
  const fromSlug = before.status === 'published' ? before.slug : null;
  const isLive = after.status === 'published' && after.deletedAt === null;
  if (!routable || !isLive || after.slug === null || after.slug === fromSlug) return undefined;
  return { fromSlug, toSlug: after.slug };
}
