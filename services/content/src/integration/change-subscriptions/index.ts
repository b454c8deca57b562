export {
  announceDraftsMigration,
  announceEntryChangeMigration,
  changeFollowersMigration,
} from './changes.tables.js';
export {
  publishCollectionChange,
  subscribe,
  subscribeToNewCollections,
  isSubscribed,
  subscribeNewCollection,
  hasSubscribers,
  unsubscribe,
} from './subscribe.js';
