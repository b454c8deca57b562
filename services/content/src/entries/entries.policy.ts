import type { Principal } from '@quire/context';
import { QuireError } from '@quire/errors';
import { can } from '@quire/permissions';
import type { CollectionDefinition } from '../schema/index.js';
import { revisionToken } from './entry.mapper.js';
import type { EntryRow } from './entry-row.js';

/** Pure rules of entries: who sees what, and where a change goes. */

/** Drafts, scheduled entries and staged values are for those who hold content:read_drafts. */
export function canSeeDrafts(principal: Principal): boolean {
  return can(principal, 'content:read_drafts');
}

/**
 * Whether a change of values waits in a draft instead of going live (contract 7, updateContent; decision 2): always on
 * a collection that keeps revisions; on one with drafts alone, when the entry is published; and wherever a draft waits
 * already, which would hide what is written beneath it.
 */
export function isStaged(
  { supports }: CollectionDefinition,
  { status, draftRevisionId }: Pick<EntryRow, 'status' | 'draftRevisionId'>,
): boolean {
  if (supports.has('revisions') || draftRevisionId !== null) return true;
  return supports.has('drafts') && status === 'published';
}

/** A write names another state of an entry than the present one; see `toStaleEntryError`. */
export class StaleEntryError extends QuireError {
  constructor(readonly row: Pick<EntryRow, 'id' | 'updatedAt'>) {
    super('CONFLICT', 'The entry has changed since it was read; read it again before writing');
  }
}

/**
 * Optimistic concurrency: a token that is not that of the row's present state loses (decision 20: a malformed one too).
 * An absent or empty token means an unconditional write.
 * @throws StaleEntryError, a CONFLICT
 */
export function assertRevisionMatches(row: EntryRow, token: string | undefined): void {
  if (!token || token === revisionToken(row)) return;
  throw new StaleEntryError(row);
}

/** @throws QuireError VALIDATION_ERROR when an entry that has an address of its own would go live without a slug. */
export function assertSlugIfRoutable({ routable }: CollectionDefinition, slug: string | null): void {
  if (routable && slug === null) {
    throw new QuireError(
      'VALIDATION_ERROR',
      'slug: is required before an entry of this collection goes live',
    );
  }
}
