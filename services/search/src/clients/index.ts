export {
  ContentClient,
  undefinedIfNotFound,
  type ContentCollection,
  type ContentDocuments,
} from './content.client.js';
