export { signInRedirect } from './sign-in-redirect.js';
