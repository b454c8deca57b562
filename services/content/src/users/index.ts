export { UserDirectory, type KnownUser } from './user-directory.js';
