export { ModeController } from './mode.controller.js';
export { SignInMode } from './sign-in-mode.js';
