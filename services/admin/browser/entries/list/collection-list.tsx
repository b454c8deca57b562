import { can } from '@quire/permissions';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMemo, useRef, useState } from 'react';
import { useMessages } from '../../locales/messages.js';
import { Screen } from '../../ui/screen.js';
import { Tabs } from '../../ui/tabs.js';
import { newEntryId } from '../editor/entry-search.js';
import { UnknownCollection } from '../unknown-collection.js';
import { ActionDialog } from './action-dialog.js';
import { BulkBar } from './bulk-bar.js';
import { ColumnsDialog } from './columns-dialog.js';
import type { EntryAction } from './entry-actions.js';
import { EntryList, type ListHandle } from './entry-list.js';
import type { Row } from './entry-status.js';
import { FilterChips } from './filter-chips.js';
import { FilterDialog } from './filter-dialog.js';
import { nextSort } from './list-columns.js';
import { useListContext } from './list-context.js';
import { countsQuery } from './list-queries.js';
import { filterCountOf, hasTooManyFilters, withoutFilters, type View } from './list-search.js';
import { TooManyFilters } from './list-states.js';
import { ListToolbar } from './list-toolbar.js';
import { RowMenu } from './row-menu.js';
import { SavedViewsDialog } from './saved-views-dialog.js';
import { useEntries } from './use-entries.js';
import { useEntryActions } from './use-entry-actions.js';
import { useListKeys } from './use-list-keys.js';
import { useListState } from './use-list-state.js';
import { useSelection } from './use-selection.js';
import { useViewTabs } from './view-tabs.js';

/** The entries of a collection, with all that can be done with them. */
export function CollectionList() {
  const t = useMessages();
  const { collection, caller } = useListContext();
  const state = useListState();
  const { search, query, change, replace } = state;
  const isTooMuch = hasTooManyFilters(search);
  const entries = useEntries(collection.slug, query, !isTooMuch);
  const counts = useQuery(countsQuery(collection.slug, search.locale));
  const { view = 'all' } = search;
  const tabs = useViewTabs(counts.data, view);
  const selection = useSelection(JSON.stringify({ ...query, columns: undefined }), entries.rows);
  const actions = useEntryActions();
  const [dialog, setDialog] = useState<'filters' | 'columns' | 'views'>();
  const [isSelecting, setSelecting] = useState(false);
  const [menuRow, setMenuRow] = useState<Row>();
  const searchInput = useRef<HTMLInputElement>(null);
  const list = useRef<ListHandle>(null);
  const locales = useLocales(entries.rows, search.locale);
  const openEditor = useOpenEditor(collection.slug, search.locale);
  // One in the trash is restored first.
  const open = (row: Row) => (row.deletedAt === undefined ? void openEditor(row.id) : setMenuRow(row));
  const clearFilters = () => replace(withoutFilters(search));
  useListKeys({
    search: () => searchInput.current?.focus(),
    next: () => list.current?.move(1),
    previous: () => list.current?.move(-1),
    toggle: () => withRow(list.current?.focused(), selection.change.toggle),
    open: () => withRow(list.current?.focused(), open),
    openMenu: () => withRow(list.current?.focused(), setMenuRow),
    create: () => can(caller, 'content:create') && void openEditor(newEntryId),
    clear: selection.change.clear,
  });
  const startBulk = (action: EntryAction) =>
    actions.start(action, selection.isOfAll ? undefined : [...selection.rows.values()]);
  if (entries.isGone) return <UnknownCollection slug={collection.slug} />;
  return (
    <Screen title={collection.label}>
      <Tabs
        label={t('list.views')}
        tabs={tabs}
        selected={view}
        onSelect={(id) => change({ view: id === 'all' ? undefined : (id as View), sort: undefined })}
      >
        <ListToolbar
          search={search}
          locales={locales}
          filterCount={filterCountOf(search)}
          isSelecting={isSelecting}
          searchInput={searchInput}
          onChange={change}
          onOpenFilters={() => setDialog('filters')}
          onOpenColumns={() => setDialog('columns')}
          onOpenViews={() => setDialog('views')}
          onSelecting={(isOn) => {
            setSelecting(isOn);
            selection.change.clear();
          }}
        />
        <FilterChips search={search} onChange={change} onClear={clearFilters} />
        {isTooMuch ? (
          <TooManyFilters onClear={clearFilters} />
        ) : (
          <EntryList
            entries={entries}
            search={search}
            columns={state.columns}
            order={state.order}
            selection={selection}
            isSelecting={isSelecting}
            handle={list}
            onSort={(orderBy) => change({ sort: nextSort(state.order, orderBy) })}
            onOpenMenu={setMenuRow}
            onClear={clearFilters}
          />
        )}
        <BulkBar
          selection={selection}
          total={entries.total}
          isTrash={view === 'trash'}
          onAction={startBulk}
        />
      </Tabs>
      {menuRow && (
        <RowMenu
          row={menuRow}
          onAction={(action, row) => actions.start(action, [row])}
          onClose={() => setMenuRow(undefined)}
        />
      )}
      {dialog === 'filters' && (
        <FilterDialog
          search={search}
          onClose={() => setDialog(undefined)}
          onApply={(next) => {
            setDialog(undefined);
            replace(next);
          }}
        />
      )}
      {dialog === 'views' && (
        <SavedViewsDialog
          onClose={() => setDialog(undefined)}
          onOpen={(next) => {
            setDialog(undefined);
            replace(next);
          }}
        />
      )}
      {dialog === 'columns' && (
        <ColumnsDialog
          selected={state.columns.map(({ id }) => id).filter((id) => id !== '_deleted')}
          onClose={() => setDialog(undefined)}
          onApply={(columns) => {
            setDialog(undefined);
            state.selectColumns(columns);
          }}
        />
      )}
      {actions.request && (
        <ActionDialog
          request={actions.request}
          query={query}
          total={entries.total}
          run={actions.run}
          onClose={(isDone) => {
            const isBulk = actions.request?.rows?.length !== 1;
            actions.close();
            if (isDone && isBulk) selection.change.clear();
          }}
        />
      )}
    </Screen>
  );
}

/** Opens an entry, or a new one in the locale of the list. */
function useOpenEditor(collection: string, locale: string | undefined) {
  const navigate = useNavigate();
  return (id: string) =>
    navigate({
      to: '/content/$collection/$id',
      params: { collection, id },
      search: id === newEntryId ? { locale } : {},
    });
}

function withRow(row: Row | undefined, call: (row: Row) => void): void {
  if (row) call(row);
}

/** The locales to select from: the configured ones, else those that the list has shown so far. */
function useLocales(rows: readonly Row[], selected: string | undefined): string[] {
  const { bootstrap } = useListContext();
  const { configured, default: defaultLocale } = bootstrap.locales;
  return useMemo(() => {
    if (configured) return configured;
    const listed = rows.flatMap(({ locale, translations }) => [
      locale,
      ...translations.map((each) => each.locale),
    ]);
    return [...new Set([defaultLocale, ...listed, ...(selected ? [selected] : [])])].sort();
  }, [configured, defaultLocale, rows, selected]);
}
