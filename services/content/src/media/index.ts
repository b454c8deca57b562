export { MediaClient, type MediaFile } from './media.client.js';
