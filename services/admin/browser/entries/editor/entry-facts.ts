import type { Schemas } from '@quire/api-client';
import type { StatusFacts } from '../list/entry-status.js';

type Item = Schemas['ContentItem'];

/** Time after which a publication that is due counts as overdue, as in lists. */
const overdueMs = 60_000;

/** What the editor shows of an entry beside its fields. */
export interface EntryFacts extends StatusFacts {
  authorId: string | null;
  locale: string | null;
}

/** @param now milliseconds since the epoch */
export function factsOf(item: Item, now: number): EntryFacts {
  const { status, publishedAt, scheduledAt, draftRevisionId = null, liveRevisionId } = item;
  return {
    status: status as EntryFacts['status'],
    isChanged: status === 'published' && draftRevisionId !== null && draftRevisionId !== liveRevisionId,
    isOverdue: scheduledAt !== null && Date.parse(scheduledAt) < now - overdueMs,
    publishedAt,
    scheduledAt,
    authorId: item.authorId,
    locale: item.locale,
  };
}
