import type { DataOf } from '@quire/api-client';
import { useMessages } from '../../locales/messages.js';
import type { TabEntry } from '../../ui/tabs.js';
import { useCountText } from './count-text.js';
import { views, type View } from './list-search.js';

/** The tabs of the views, with their counts. Overdue entries have a tab only where there are some. */
export function useViewTabs(counts: DataOf<'countPanelEntries'> | undefined, selected: View): TabEntry[] {
  const t = useMessages();
  const textOf = useCountText();
  return views
    .filter((view) => view !== 'overdue' || selected === view || (counts?.overdue ?? 0) > 0)
    .map((view) => ({
      id: view,
      label: t(`view.${view}`),
      count: counts && textOf(counts[view]),
      isAlarm: view === 'overdue',
    }));
}
