import type { DataOf } from '@quire/api-client';
import type { MessageKey } from '../../locales/messages.js';

/** An entry of the list. */
export type Row = DataOf<'listPanelEntries'>['items'][number];

/** How a status looks: its colour and icon. */
export type StatusKind = 'draft' | 'published' | 'changed' | 'scheduled' | 'overdue' | 'trash';

/** The status of an entry in words. */
export interface StatusWords {
  kind: StatusKind;
  message: MessageKey;
  /** The instant in the message. */
  at?: string;
  /** Whether the message has the time of that instant, too. */
  hasTime?: boolean;
}

/** What the status in words depends on. */
export type StatusFacts = Pick<
  Row,
  'status' | 'isChanged' | 'isOverdue' | 'publishedAt' | 'scheduledAt' | 'deletedAt'
>;

/** What a list calls the status of an entry. */
export function statusWords(row: StatusFacts): StatusWords {
  const { status, isChanged, isOverdue, publishedAt, scheduledAt, deletedAt } = row;
  if (deletedAt !== undefined) return { kind: 'trash', message: 'status.trash', at: deletedAt };
  if (scheduledAt !== null) {
    const at = { at: scheduledAt, hasTime: true };
    if (isOverdue) return { kind: 'overdue', message: 'status.overdue', ...at };
    const message = status === 'published' ? 'status.changesScheduled' : 'status.scheduled';
    return { kind: 'scheduled', message, ...at };
  }
  const at = publishedAt === null ? {} : { at: publishedAt };
  if (status === 'published') {
    if (isChanged) return { kind: 'changed', message: 'status.changed' };
    return { kind: 'published', message: publishedAt === null ? 'status.live' : 'status.published', ...at };
  }
  if (publishedAt === null) return { kind: 'draft', message: 'status.draft' };
  return { kind: 'draft', message: 'status.unpublished', ...at };
}
