export { isSubscribed } from './change-subscriptions.repository.js';
export {
  publishCollectionChange,
  subscribe,
  subscribeNewCollection,
  subscribeToNewCollections,
  unsubscribe,
} from './subscribe.js';
