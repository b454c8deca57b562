import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect } from 'react';
import { bootstrapQuery } from '../../api/bootstrap.js';
import { meQuery } from '../../api/client.js';
import { useOnline } from '../../api/online.js';
import { useMessages } from '../../locales/messages.js';
import { useTimeFormatters } from '../../time/formatters.js';
import { ErrorBox } from '../../ui/error-box.js';
import { Screen } from '../../ui/screen.js';
import { Skeleton } from '../../ui/skeleton.js';
import { CollectionList } from './collection-list.js';
import { ListContext } from './list-context.js';
import { UnknownCollection } from './list-states.js';

const route = getRouteApi('/content/$collection');

/** The screen of a collection: its entries, as far as the site has the collection. */
export function CollectionScreen() {
  const t = useMessages();
  const { collection: slug } = route.useParams();
  const { data: bootstrap, error, refetch, isFetching } = useQuery(bootstrapQuery);
  const { data: me } = useQuery(meQuery);
  const isOnline = useOnline();
  const times = useTimeFormatters(bootstrap?.site.timezone ?? 'UTC');
  const collection = bootstrap?.collections.find((each) => each.slug === slug);
  const isMissing = bootstrap !== undefined && !collection;
  useEffect(() => {
    // It may be newer than what the panel knows.
    if (isMissing) void refetch();
  }, [isMissing, slug, refetch]);
  if (error && !bootstrap) return <ErrorBox error={error} onRetry={() => void refetch()} />;
  if (isMissing && !isFetching) return <UnknownCollection slug={slug} />;
  if (!bootstrap || !collection || !me)
    return (
      <Screen title={slug}>
        <Skeleton rows={8} label={t('list.loading')} />
      </Screen>
    );
  const caller = { userId: me.id, role: me.role };
  return (
    <ListContext value={{ collection, bootstrap, caller, times, isReadOnly: !isOnline }}>
      <CollectionList key={slug} />
    </ListContext>
  );
}
