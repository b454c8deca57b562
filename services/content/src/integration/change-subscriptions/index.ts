export { subscriberNames, newCollections, type Subscriber } from './subscribers.js';
export {
  publishCollectionChange,
  subscribe,
  subscribeToNewCollections,
  isSubscribed,
  subscribeNewCollection,
  hasSubscribers,
  unsubscribe,
} from './subscribe.js';
