export { SetupPageController } from './setup-page.controller.js';
