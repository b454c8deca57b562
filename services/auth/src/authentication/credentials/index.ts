export { selectTokenNames } from './credentials.repository.js';
