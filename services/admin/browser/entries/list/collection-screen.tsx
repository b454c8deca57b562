import { getRouteApi } from '@tanstack/react-router';
import { useOnline } from '../../api/online.js';
import { useMessages } from '../../locales/messages.js';
import { Screen } from '../../ui/screen.js';
import { Skeleton } from '../../ui/skeleton.js';
import { WithCollection } from '../with-collection.js';
import { CollectionList } from './collection-list.js';
import { ListContext } from './list-context.js';

const route = getRouteApi('/content/$collection');

/** The screen of a collection: its entries, as far as the site has the collection. */
export function CollectionScreen() {
  const t = useMessages();
  const { collection: slug } = route.useParams();
  const isOnline = useOnline();
  const placeholder = (
    <Screen title={slug}>
      <Skeleton rows={8} label={t('list.loading')} />
    </Screen>
  );
  return (
    <WithCollection slug={slug} placeholder={placeholder}>
      {(context) => (
        <ListContext value={{ ...context, isReadOnly: !isOnline }}>
          <CollectionList key={slug} />
        </ListContext>
      )}
    </WithCollection>
  );
}
