import type { contentApi } from '@quire/internal-api';
import {
  followMediaUsageCollection,
  followSearchCollection,
  indexMediaUsage,
  indexSearch,
} from '@quire/messages';

/** The jobs that carry the changes of collections to each subscriber. */
export const subscriberJobs = {
  'media-usage': { entryChanged: indexMediaUsage, collectionChanged: followMediaUsageCollection },
  search: { entryChanged: indexSearch, collectionChanged: followSearchCollection },
} as const satisfies Record<contentApi.Subscriber, object>;
