import { givenSlugProblem } from '@quire/content-model';
import type { Principal } from '@quire/context';
import { invalidInput, QuireError } from '@quire/errors';
import { can } from '@quire/permissions';
import type { CollectionDefinition } from '../schema/index.js';
import { StaleEntryError } from './entry-errors.js';
import { revisionToken } from './entry.mapper.js';
import type { EntryRow } from './entry-row.js';

/** Whether a user sees drafts, scheduled entries and staged values. */
export function canSeeDrafts(principal: Principal): boolean {
  return can(principal, 'content:read_drafts');
}

/**
 * Whether a change of values is staged in a draft instead of going live (contract 7, updateContent; decision 2): always
 * if the collection supports revisions; if it supports only drafts, for published entries; and always for an entry that
 * has a draft, which would hide a live change.
 */
export function isStaged(
  { supports }: CollectionDefinition,
  { status, draftRevisionId }: Pick<EntryRow, 'status' | 'draftRevisionId'>,
): boolean {
  if (supports.has('revisions') || draftRevisionId !== null) return true;
  return supports.has('drafts') && status === 'published';
}

/**
 * Optimistic concurrency: rejects a token that is not that of the row's present state, malformed ones included
 * (decision 20). A write without a token, or with an empty one, is unconditional.
 * @throws StaleEntryError, a CONFLICT.
 */
export function assertRevisionMatches(row: EntryRow, token: string | undefined): void {
  if (!token || token === revisionToken(row)) return;
  throw new StaleEntryError(row);
}

/** @throws QuireError VALIDATION_ERROR when an entry of a routable collection would go live without a slug. */
export function assertSlugIfRoutable({ routable }: CollectionDefinition, slug: string | null): void {
  if (routable && slug === null) {
    throw new QuireError(
      'VALIDATION_ERROR',
      'slug: is required before an entry of this collection goes live',
    );
  }
}

/** @throws QuireError FORBIDDEN when a publication date is given by a user without content:publish_any. */
export function assertMaySetPublishedAt(principal: Principal, publishedAt: string | null | undefined): void {
  if (publishedAt === undefined || can(principal, 'content:publish_any')) return;
  throw new QuireError('FORBIDDEN', 'Your role does not allow setting publishedAt (content:publish_any)');
}

/** @throws QuireError VALIDATION_ERROR when SEO data is given for a collection without it. */
export function assertSeoSupported({ hasSeo }: CollectionDefinition, seo: object | undefined): void {
  if (seo !== undefined && !hasSeo)
    throw invalidInput([{ path: 'seo', message: 'this collection has no SEO data' }]);
}

/** @throws QuireError VALIDATION_ERROR for a malformed slug. */
export function assertValidSlug(slug: string): void {
  const problem = givenSlugProblem(slug);
  if (problem !== null) throw invalidInput([{ path: 'slug', message: problem }]);
}
