export { AuthClient } from './auth.client.js';
export { MediaClient } from './media.client.js';
