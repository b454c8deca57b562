import { useQuery } from '@tanstack/react-query';
import type { Caller } from '@quire/permissions';
import { useEffect, type ReactNode } from 'react';
import { bootstrapQuery, type Bootstrap, type Collection } from '../api/bootstrap.js';
import { meQuery } from '../api/client.js';
import { useTimeFormatters, type TimeFormatters } from '../time/formatters.js';
import { ErrorBox } from '../ui/error-box.js';
import { UnknownCollection } from './unknown-collection.js';

/** What the screens of a collection and of its entries know. */
export interface CollectionContext {
  collection: Collection;
  bootstrap: Bootstrap;
  caller: Caller & { userId: string };
  times: TimeFormatters;
}

/** Shows a screen once the panel knows its collection, as far as the site has it. */
export function WithCollection({
  slug,
  placeholder,
  children,
}: {
  slug: string;
  /** Until the collection is known. */
  placeholder: ReactNode;
  children: (context: CollectionContext) => ReactNode;
}) {
  const { data: bootstrap, error, refetch, isFetching } = useQuery(bootstrapQuery);
  const { data: me } = useQuery(meQuery);
  const times = useTimeFormatters(bootstrap?.site.timezone ?? 'UTC');
  const collection = bootstrap?.collections.find((each) => each.slug === slug);
  const isMissing = bootstrap !== undefined && !collection;
  useEffect(() => {
    // It may be newer than what the panel knows.
    if (isMissing) void refetch();
  }, [isMissing, slug, refetch]);
  if (error && !bootstrap) return <ErrorBox error={error} onRetry={() => void refetch()} />;
  if (isMissing && !isFetching) return <UnknownCollection slug={slug} />;
  if (!bootstrap || !collection || !me) return placeholder;
  return children({ collection, bootstrap, caller: { userId: me.id, role: me.role }, times });
}
