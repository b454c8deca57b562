export { InvitePageController } from './invite-page.controller.js';
