export { assertionHeader, EdgeAccess } from './edge-access.js';
export { EdgeAccessError } from './edge-access-error.js';
export { EdgeAccessPolicy, writeEdgeAccessError, type EdgeRequest } from './edge-access-policy.js';
export { EdgeAuthentication } from './edge-authentication.js';
export { EdgeSessions } from './edge-sessions.js';
