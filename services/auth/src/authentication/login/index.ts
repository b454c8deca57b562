export { LoginPageController } from './login-page.controller.js';
export { signInRedirect } from './sign-in-redirect.js';
