import type { contentApi } from '@quire/internal-api';
import {
  syncMediaUsageCollection,
  syncSearchCollection,
  indexMediaUsageEntry,
  indexSearchEntry,
} from '@quire/messages';

/** The jobs that carry the changes of collections to each subscriber. */
export const subscriberJobs = {
  'media-usage': { entryChanged: indexMediaUsageEntry, collectionChanged: syncMediaUsageCollection },
  search: { entryChanged: indexSearchEntry, collectionChanged: syncSearchCollection },
} as const satisfies Record<contentApi.Subscriber, object>;
