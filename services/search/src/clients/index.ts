export {
  ContentClient,
  undefinedIfNotFound,
  type ContentCollection,
  type ContentDocuments,
  type SubscriptionOptions,
} from './content.client.js';
