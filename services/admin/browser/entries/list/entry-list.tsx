import { useEffect, useImperativeHandle, useRef, type Ref } from 'react';
import { useLocale } from 'react-aria-components/I18nProvider';
import { useMessages } from '../../locales/messages.js';
import { usePreferences } from '../../preferences/preferences-store.js';
import { Button } from '../../ui/button.js';
import { ErrorBox } from '../../ui/error-box.js';
import { Skeleton } from '../../ui/skeleton.js';
import { useNarrow } from '../../ui/use-media-query.js';
import { useCountText } from './count-text.js';
import { cardHeight, EntryCards } from './entry-cards.js';
import styles from './entry-list.module.css';
import type { Row } from './entry-status.js';
import { EntryTable } from './entry-table.js';
import type { Column, ListOrder } from './list-columns.js';
import type { ListSearch } from './list-search.js';
import { EmptyList, OfflineList } from './list-states.js';
import { useReadAhead, type useEntries } from './use-entries.js';
import type { Selection } from './use-selection.js';
import { useWindow } from './use-window.js';

const rowHeights = { comfortable: 44, compact: 36 } as const;

/** What the keys of a list do with its rows. */
export interface ListHandle {
  /** Moves the focus by a number of rows. */
  move: (by: number) => void;
  /** The row with the focus. */
  focused: () => Row | undefined;
}

interface ListProps {
  entries: ReturnType<typeof useEntries>;
  search: ListSearch;
  columns: readonly Column[];
  order: ListOrder;
  selection: Selection;
  isSelecting: boolean;
  handle: Ref<ListHandle>;
  onSort: (orderBy: string) => void;
  onOpenMenu: (row: Row) => void;
  onClear: () => void;
}

/** The entries of a list in the state that they are in. */
export function EntryList(props: ListProps) {
  const { entries, search, onClear } = props;
  const t = useMessages();
  const { rows, error, isPending, fetchStatus, refetch } = entries;
  if (error && rows.length === 0)
    return (
      <div className={styles['notice']}>
        <ErrorBox level={2} error={error} onRetry={() => void refetch()} />
      </div>
    );
  if (isPending)
    return (
      <div className={styles['surface']}>
        {fetchStatus === 'paused' ? <OfflineList /> : <Skeleton rows={8} label={t('list.loading')} />}
      </div>
    );
  if (rows.length === 0)
    return (
      <div className={styles['surface']}>
        <EmptyList search={search} onClear={onClear} />
      </div>
    );
  return <Rows {...props} />;
}

function Rows(props: ListProps) {
  const { entries, columns, order, selection, isSelecting, handle, search, onSort, onOpenMenu } = props;
  const { rows, total, isStale } = entries;
  const isNarrow = useNarrow();
  const { density } = usePreferences();
  const rowHeight = isNarrow ? cardHeight : rowHeights[density];
  const { frame, list, range, reveal } = useWindow({ count: rows.length, rowHeight });
  useReadAhead(entries, range.visibleEnd);
  useRowFocus(handle, rows, reveal);
  useEffect(() => {
    // Another list begins at its top.
    frame.current?.scrollTo({ top: 0 });
  }, [frame, search]);
  const shown = {
    rows,
    columns,
    order,
    total,
    selection,
    range,
    list,
    rowHeight,
    isStale,
    onSort,
    onOpenMenu,
  };
  return (
    <>
      {isNarrow ? (
        <EntryCards {...shown} isSelecting={isSelecting} />
      ) : (
        <div ref={frame} className={styles['frame']}>
          <EntryTable {...shown} />
        </div>
      )}
      <Footer entries={entries} />
    </>
  );
}

/** Moves the focus to rows that may have to be scrolled into sight first. */
function useRowFocus(handle: Ref<ListHandle>, rows: readonly Row[], reveal: (index: number) => void): void {
  const last = useRef<string>(undefined);
  const wanted = useRef<string>(undefined);
  const elementOf = (id: string) => document.querySelector<HTMLElement>(`[data-entry="${CSS.escape(id)}"]`);
  const focusWanted = () => {
    const element = wanted.current === undefined ? null : elementOf(wanted.current);
    if (!element) return;
    wanted.current = undefined;
    element.focus({ preventScroll: true });
  };
  const current = () => document.activeElement?.closest<HTMLElement>('[data-entry]')?.dataset['entry'];
  // A row that was out of sight is rendered after the list has scrolled.
  useEffect(focusWanted);
  useImperativeHandle(handle, () => ({
    move: (by) => {
      const from = rows.findIndex(({ id }) => id === (current() ?? last.current));
      const index = Math.max(0, Math.min(rows.length - 1, from === -1 ? 0 : from + by));
      last.current = wanted.current = rows[index]?.id;
      reveal(index);
      focusWanted();
    },
    focused: () => {
      const id = current();
      return id === undefined ? undefined : rows.find((row) => row.id === id);
    },
  }));
}

/** How many of the entries are listed, and what holds up the rest. */
function Footer({ entries }: { entries: ReturnType<typeof useEntries> }) {
  const t = useMessages();
  const { locale } = useLocale();
  const countText = useCountText();
  const { rows, total, error, hasNextPage, isFetchingNextPage, fetchNextPage } = entries;
  const number = new Intl.NumberFormat(locale);
  const count = number.format(rows.length);
  return (
    <p className={styles['footer']} role="status">
      <span>
        {total === undefined
          ? t('list.shown', { count })
          : t('list.shownOf', { count, total: total < rows.length ? count : countText(total) })}
      </span>
      {isFetchingNextPage && <span>{t('list.loadingMore')}</span>}
      {error && <span role="alert">{t('list.moreFailed')}</span>}
      {error && hasNextPage && <Button onPress={() => void fetchNextPage()}>{t('error.retry')}</Button>}
      {!hasNextPage && total !== undefined && total > rows.length && <span>{t('list.tooMany')}</span>}
    </p>
  );
}
