import type { Schemas } from '@quire/api-client';
import type { ActionFacts } from '../list/entry-actions.js';

type Item = Schemas['ContentItem'];

/** Time after which a publication that is due counts as overdue, as in lists. */
const overdueMs = 60_000;

/** What the editor shows of an entry beside its fields. */
export interface EntryFacts extends ActionFacts {
  locale: string | null;
  /** The one that visitors know. */
  slug: string | null;
}

/** @param now milliseconds since the epoch */
export function factsOf(item: Item, now: number): EntryFacts {
  const {
    status,
    publishedAt,
    scheduledAt,
    draftRevisionId = null,
    liveRevisionId,
    authorId,
    locale,
    slug,
  } = item;
  return {
    status: status as EntryFacts['status'],
    isChanged: status === 'published' && draftRevisionId !== null && draftRevisionId !== liveRevisionId,
    isOverdue: scheduledAt !== null && Date.parse(scheduledAt) < now - overdueMs,
    publishedAt,
    scheduledAt,
    author: authorId === null ? null : { id: authorId, name: null },
    // Another user's lease makes the whole editor read-only.
    lock: null,
    locale,
    slug,
  };
}
