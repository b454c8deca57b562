export { ReadOnlyModeInterceptor } from './read-only-mode.interceptor.js';
export { ReadOnlyMode } from './read-only-mode.js';
