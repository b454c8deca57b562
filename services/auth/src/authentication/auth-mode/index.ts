export { AuthModeController } from './auth-mode.controller.js';
export { getAuthMode } from './operations/get-auth-mode.js';
