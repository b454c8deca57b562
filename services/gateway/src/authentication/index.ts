export { CredentialAuthentication } from './credential-authentication.js';
export { sessionIdOf } from './session-cookie.js';
export { assertionHeader, EdgeAccess, EdgeRefusal } from './edge-access.js';
export { EdgeAuthentication } from './edge-authentication.js';
