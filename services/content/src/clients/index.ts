export { AuthClient, type KnownUser } from './auth.client.js';
export { MediaClient, type MediaFile } from './media.client.js';
