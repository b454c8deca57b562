export { getAuthMode } from './operations/get-auth-mode.js';
