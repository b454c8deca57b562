export { AccountPageController } from './account-page.controller.js';
