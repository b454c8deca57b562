export { ReadOnlyModeInterceptor } from './read-only-mode.interceptor.js';
export { fenceCodes, ReadOnlyMode } from './read-only-mode.js';
