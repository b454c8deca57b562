export { CredentialAuthentication } from './credential-authentication.js';
export { sessionIdOf } from './session-cookie.js';
