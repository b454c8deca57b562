import {
  followMediaUsageCollection,
  followSearchCollection,
  indexMediaUsage,
  indexSearch,
} from '@quire/messages';

/** Who may follow the changes of collections, and with which jobs each is told of them. */
export const followers = {
  'media-usage': { entryChanged: indexMediaUsage, collectionChanged: followMediaUsageCollection },
  search: { entryChanged: indexSearch, collectionChanged: followSearchCollection },
} as const;

export type Follower = keyof typeof followers;

export const followerNames = Object.keys(followers) as [Follower, ...Follower[]];

/** Stands for the collections that are made from now on. */
export const newCollections = '*';
