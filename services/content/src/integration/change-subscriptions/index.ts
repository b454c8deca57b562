export { isSubscribed } from './change-subscriptions.repository.js';
export {
  hasSubscribers,
  publishCollectionChange,
  subscribe,
  subscribeNewCollection,
  subscribeToNewCollections,
  unsubscribe,
} from './subscribe.js';
