import { can } from '@quire/permissions';
import { Link } from '@tanstack/react-router';
import { Bookmark, Columns3, ListChecks, Plus, SlidersHorizontal } from 'lucide-react';
import { useEffect, useState, type RefObject } from 'react';
import { useLocale } from 'react-aria-components/I18nProvider';
import { useMessages } from '../../locales/messages.js';
import { Button } from '../../ui/button.js';
import { SearchField } from '../../ui/search-field.js';
import { Select } from '../../ui/select.js';
import { useNarrow } from '../../ui/use-media-query.js';
import { newEntryId } from '../editor/entry-search.js';
import { useListContext } from './list-context.js';
import type { ListSearch } from './list-search.js';
import styles from './list-toolbar.module.css';

const debounceMs = 300;

/** What a list is searched and limited with. */
export function ListToolbar({
  search,
  locales,
  filterCount,
  isSelecting,
  searchInput,
  onChange,
  onOpenFilters,
  onOpenColumns,
  onOpenViews,
  onSelecting,
}: {
  search: ListSearch;
  /** Locales to select from; a single one is not offered. */
  locales: readonly string[];
  filterCount: number;
  isSelecting: boolean;
  searchInput: RefObject<HTMLInputElement | null>;
  /** @param options.isTyping whether it is one of many changes, which the history need not keep */
  onChange: (part: Partial<ListSearch>, options?: { isTyping: boolean }) => void;
  onOpenFilters: () => void;
  onOpenColumns: () => void;
  onOpenViews: () => void;
  onSelecting: (isSelecting: boolean) => void;
}) {
  const t = useMessages();
  const isNarrow = useNarrow();
  const { caller, collection } = useListContext();
  return (
    <div role="search" className={styles['toolbar']}>
      <SearchText
        q={search.q}
        searchInput={searchInput}
        onChange={(q) => onChange({ q }, { isTyping: true })}
      />
      {locales.length > 1 && (
        <LocaleSelect locale={search.locale} locales={locales} onChange={(locale) => onChange({ locale })} />
      )}
      <Button onPress={onOpenFilters}>
        <SlidersHorizontal aria-hidden size={16} />
        {filterCount > 0 ? t('filter.open.count', { count: filterCount }) : t('filter.open')}
      </Button>
      <Button onPress={onOpenViews}>
        <Bookmark aria-hidden size={16} />
        {t('views.open')}
      </Button>
      {isNarrow ? (
        <Button onPress={() => onSelecting(!isSelecting)}>
          <ListChecks aria-hidden size={16} />
          {isSelecting ? t('list.stopSelecting') : t('list.startSelecting')}
        </Button>
      ) : (
        <Button onPress={onOpenColumns}>
          <Columns3 aria-hidden size={16} />
          {t('columns.open')}
        </Button>
      )}
      {can(caller, 'content:create') && (
        <Link
          className="button main"
          to="/content/$collection/$id"
          params={{ collection: collection.slug, id: newEntryId }}
          search={{ locale: search.locale }}
        >
          <Plus aria-hidden size={16} />
          {t('editor.new')}
        </Link>
      )}
    </div>
  );
}

/** The search text. What is typed is never replaced by the address that an earlier key has led to. */
function SearchText({
  q = '',
  searchInput,
  onChange,
}: {
  q: string | undefined;
  searchInput: RefObject<HTMLInputElement | null>;
  onChange: (q: string | undefined) => void;
}) {
  const t = useMessages();
  const [text, setText] = useState(q);
  const [sent, setSent] = useState(q);
  const [seen, setSeen] = useState(q);
  if (q !== seen) {
    setSeen(q);
    if (q !== sent) {
      setText(q);
      setSent(q);
    }
  }
  useEffect(() => {
    const wanted = text.trim();
    if (wanted === sent) return undefined;
    const timer = setTimeout(
      () => {
        setSent(wanted);
        onChange(wanted === '' ? undefined : wanted);
      },
      wanted === '' ? 0 : debounceMs,
    );
    return () => clearTimeout(timer);
  });
  return (
    <SearchField
      label={t('list.search')}
      clearLabel={t('list.clearSearch')}
      value={text}
      onChange={setText}
      inputRef={searchInput}
      shortcut="/"
    />
  );
}

function LocaleSelect({
  locale,
  locales,
  onChange,
}: {
  locale: string | undefined;
  locales: readonly string[];
  onChange: (locale: string | undefined) => void;
}) {
  const t = useMessages();
  const { locale: language } = useLocale();
  const names = new Intl.DisplayNames(language, { type: 'language', fallback: 'code' });
  const nameOf = (code: string) => {
    try {
      return names.of(code) ?? code;
    } catch {
      // A site without configured locales accepts codes that are no language tags.
      return code;
    }
  };
  return (
    <Select
      isLabelHidden
      label={t('list.locale')}
      value={locale ?? ''}
      options={[['', t('list.allLocales')], ...locales.map((code) => [code, nameOf(code)] as const)]}
      onChange={(code) => onChange(code === '' ? undefined : code)}
    />
  );
}
