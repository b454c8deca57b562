import type { ListFilters } from '../repository/list-conditions.js';
import type { PanelView } from './panel-entries.schemas.js';

type ViewFilters = Pick<ListFilters, 'status' | 'state' | 'authorId'>;

/** The filters of each view but `mine`, which depends on the caller. */
const views: Readonly<Record<Exclude<PanelView, 'mine'>, ViewFilters>> = {
  all: {},
  draft: { status: 'draft' },
  published: { status: 'published' },
  // The status is a condition of the state, too: the order of the list needs to know that there is only one.
  changed: { status: 'published', state: 'changed' },
  scheduled: { state: 'scheduled' },
  overdue: { state: 'overdue' },
  trash: { state: 'trash' },
};

/** @returns the filters of a view. @param userId the caller */
export function filtersOfView(view: PanelView, userId: string | null): ViewFilters {
  // No entry has an empty author.
  return view === 'mine' ? { authorId: userId ?? '' } : views[view];
}
