export { ReadOnlyModeInterceptor } from './read-only-mode.interceptor.js';
export { ReadOnlyMode } from './read-only-mode.js';
export { readOnlyModeMigration } from './read-only-mode.tables.js';
