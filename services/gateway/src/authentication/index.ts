export { BearerAuthentication } from './bearer-authentication.js';
