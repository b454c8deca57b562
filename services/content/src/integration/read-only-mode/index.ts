export { ReadOnlyMode } from './read-only-mode.js';
