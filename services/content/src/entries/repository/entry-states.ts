/** SQL condition of entries `e` outside the trash. */
export const isLive = 'e.deleted_at IS NULL';

/** States of entries that are no status. */
export type EntryState = 'changed' | 'scheduled' | 'overdue' | 'trash';

/** The entries in a state as SQL of entries `e`: a range of an index. */
interface StateRange {
  /** Whether they are in the trash. */
  rows: string;
  /** What else the range has of them. */
  conditions: readonly string[];
  /** The order of the index. */
  order: string;
}

/** SQL conditions of entries `e` that are published, with a draft that is not. */
const changed = (e: string) => [
  `${e}.status = 'published'`,
  `${e}.draft_revision_id IS NOT NULL`,
  `${e}.draft_revision_id IS DISTINCT FROM ${e}.live_revision_id`,
];
/** SQL condition: the publication of entry `e` was due more than a minute ago. */
export const overdue = "e.scheduled_at < now() - interval '1 minute'";
const bySchedule = 'e.scheduled_at, e.id';

export const entryStates: Readonly<Record<EntryState, StateRange>> = {
  changed: { rows: isLive, conditions: changed('e'), order: 'e._edited_at NULLS FIRST, e.id' },
  scheduled: { rows: isLive, conditions: ['e.scheduled_at IS NOT NULL'], order: bySchedule },
  overdue: { rows: isLive, conditions: [overdue], order: bySchedule },
  trash: { rows: 'e.deleted_at IS NOT NULL', conditions: [], order: 'e.deleted_at NULLS FIRST, e.id' },
};

/** SQL of whether an entry is published with a draft that is not. @param e the entry's alias */
export const isChanged = (e: string) => `(${changed(e).join(' AND ')})`;
