export { AuthApiClient } from './auth-api-client.js';
export { CredentialAuthentication } from './credential-authentication.js';
export { assertionHeader, EdgeAccess } from './edge-access.js';
export { EdgeAuthentication } from './edge-authentication.js';
export { EdgeAccessError } from './edge-access-error.js';
export { EdgeSessions } from './edge-sessions.js';
