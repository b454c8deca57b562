import { Inbox, SearchX, Trash2, WifiOff } from 'lucide-react';
import { useMessages, type MessageKey } from '../../locales/messages.js';
import { Button } from '../../ui/button.js';
import { Empty } from '../../ui/empty.js';
import { useListContext } from './list-context.js';
import { isFiltered, maxFilters, maxValues, type ListSearch, type View } from './list-search.js';

/** What a list without entries says: why it is empty, and what comes next. */
export function EmptyList({ search, onClear }: { search: ListSearch; onClear: () => void }) {
  const t = useMessages();
  const { collection } = useListContext();
  const { view = 'all' } = search;
  if (isFiltered(search))
    return (
      <Empty
        icon={<SearchX aria-hidden size={32} />}
        title={t('empty.notFound')}
        explanation={t('empty.notFound.explanation')}
      >
        <Button onPress={onClear}>{t('filter.clear')}</Button>
      </Empty>
    );
  const Icon = view === 'trash' ? Trash2 : Inbox;
  return (
    <Empty
      icon={<Icon aria-hidden size={32} />}
      title={t(`empty.${view}`, { collection: collection.label })}
      explanation={explanations[view] && t(explanations[view])}
    />
  );
}

const explanations: Partial<Record<View, MessageKey>> = {
  all: 'empty.all.explanation',
  changed: 'empty.changed.explanation',
  scheduled: 'empty.scheduled.explanation',
  trash: 'empty.trash.explanation',
};

/** A list that was not read before the connection was lost. */
export function OfflineList() {
  const t = useMessages();
  return <Empty icon={<WifiOff aria-hidden size={32} />} title={t('empty.offline')} />;
}

/** A list that is not read, because its address has more filters than the API accepts. */
export function TooManyFilters({ onClear }: { onClear: () => void }) {
  const t = useMessages();
  return (
    <Empty icon={<SearchX aria-hidden size={32} />} title={t('filter.tooMany', { maxFilters, maxValues })}>
      <Button onPress={onClear}>{t('filter.clear')}</Button>
    </Empty>
  );
}
