export {
  publishCollectionChange,
  subscribe,
  subscribeToNewCollections,
  isSubscribed,
  subscribeNewCollection,
  hasSubscribers,
  unsubscribe,
} from './subscribe.js';
