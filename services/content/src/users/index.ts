export { AuthClient, type KnownUser } from './auth.client.js';
