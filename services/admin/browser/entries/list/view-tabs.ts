import type { DataOf } from '@quire/api-client';
import { useLocale } from 'react-aria-components/I18nProvider';
import { useMessages } from '../../locales/messages.js';
import type { TabEntry } from '../../ui/tabs.js';
import { views, type View } from './list-search.js';

/** Counts end here. */
const maxCount = 10_000;

/** The tabs of the views, with their counts. Overdue entries have a tab only where there are some. */
export function useViewTabs(counts: DataOf<'countPanelEntries'> | undefined, selected: View): TabEntry[] {
  const t = useMessages();
  const { locale } = useLocale();
  const number = new Intl.NumberFormat(locale);
  const textOf = (count: number) => `${number.format(count)}${count >= maxCount ? '+' : ''}`;
  return views
    .filter((view) => view !== 'overdue' || selected === view || (counts?.overdue ?? 0) > 0)
    .map((view) => ({
      id: view,
      label: t(`view.${view}`),
      count: counts && textOf(counts[view]),
      isAlarm: view === 'overdue',
    }));
}
