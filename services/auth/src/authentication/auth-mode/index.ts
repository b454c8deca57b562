export { getAuthMode } from './auth-mode.operations.js';
