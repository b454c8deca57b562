export { SignupPageController } from './signup-page.controller.js';
