import {
  followMediaUsageCollection,
  followSearchCollection,
  indexMediaUsage,
  indexSearch,
} from '@quire/messages';

/** Who may subscribe to the changes of collections, and the jobs that carry them. */
export const subscribers = {
  'media-usage': { entryChanged: indexMediaUsage, collectionChanged: followMediaUsageCollection },
  search: { entryChanged: indexSearch, collectionChanged: followSearchCollection },
} as const;

export type Subscriber = keyof typeof subscribers;

export const subscriberNames = Object.keys(subscribers) as [Subscriber, ...Subscriber[]];

/** Stands for the collections that are made from now on. */
export const newCollections = '*';
