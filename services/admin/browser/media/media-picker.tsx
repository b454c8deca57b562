import { useInfiniteQuery } from '@tanstack/react-query';
import { FileText } from 'lucide-react';
import { useDeferredValue, useState } from 'react';
import { useMessages } from '../locales/messages.js';
import { Button } from '../ui/button.js';
import { Dialog } from '../ui/dialog.js';
import { ErrorBox } from '../ui/error-box.js';
import { SearchField } from '../ui/search-field.js';
import { Skeleton } from '../ui/skeleton.js';
import { mediaQuery, type MediaItem } from './media-queries.js';
import styles from './media-picker.module.css';
import { thumbnailOf } from './media-value.js';

/** Selects a file of the library. @param props.types that are accepted; none for all */
export function MediaPicker({
  types,
  onPick,
  onClose,
}: {
  types: readonly string[];
  onPick: (item: MediaItem) => void;
  onClose: () => void;
}) {
  const t = useMessages();
  const [text, setText] = useState('');
  const q = useDeferredValue(text.trim());
  const query = useInfiniteQuery(mediaQuery({ q, mimeTypes: types }));
  const items = query.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <Dialog title={t('media.library')} isSheet onClose={onClose}>
      <SearchField
        label={t('media.search')}
        clearLabel={t('list.clearSearch')}
        value={text}
        onChange={setText}
      />
      {query.error && !query.data ? (
        <ErrorBox level={2} error={query.error} onRetry={() => void query.refetch()} />
      ) : query.isPending ? (
        <Skeleton rows={4} label={t('media.loading')} />
      ) : (
        <Results items={items} isSearch={q !== ''} onPick={onPick} />
      )}
      <div className="actions">
        {query.hasNextPage && (
          <Button isPending={query.isFetchingNextPage} onPress={() => void query.fetchNextPage()}>
            {t('media.more')}
          </Button>
        )}
        <Button onPress={onClose}>{t('dialog.cancel')}</Button>
      </div>
    </Dialog>
  );
}

function Results({
  items,
  isSearch,
  onPick,
}: {
  items: readonly MediaItem[];
  isSearch: boolean;
  onPick: (item: MediaItem) => void;
}) {
  const t = useMessages();
  if (items.length === 0) return <p>{t(isSearch ? 'media.notFound' : 'media.empty')}</p>;
  return (
    <ul className={styles['grid']} aria-label={t('media.library')}>
      {items.map((item) => (
        <li key={item.id}>
          <button type="button" onClick={() => onPick(item)}>
            {item.mimeType.startsWith('image/') ? (
              <img src={thumbnailOf(item.url, 'thumbnail')} alt="" loading="lazy" />
            ) : (
              <FileText aria-hidden size={32} />
            )}
            <span dir="auto">{item.filename}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
