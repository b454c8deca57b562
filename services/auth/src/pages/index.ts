export { DevicePageController } from './device/device-page.controller.js';
export { HomePageController } from './home/home.controller.js';
export { InvitePageController } from './invite/invite-page.controller.js';
export { LoginPageController } from './login/login.controller.js';
export { SetupPageController } from './setup/setup-page.controller.js';
export { SignupPageController } from './signup/signup-page.controller.js';
