export {
  announceDraftsMigration,
  announceEntryChangeMigration,
  changeFollowersMigration,
} from './changes.tables.js';
export { followerNames, newCollections, type Follower } from './followers.js';
export {
  announceCollectionChange,
  follow,
  followNewCollections,
  follows,
  followWhenNew,
  isFollowed,
  unfollow,
} from './follow.js';
