export { CredentialAuthentication, type TokenClient } from './credential-authentication.js';
export { sessionIdOf } from './session-cookie.js';
