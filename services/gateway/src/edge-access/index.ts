export { assertionHeader, EdgeAccess, EdgeAccessError } from './edge-access.js';
export { EdgeAccessPolicy, writeEdgeAccessError, type EdgeRequest } from './edge-access-policy.js';
export { EdgeAuthentication } from './edge-authentication.js';
export { EdgeSessions } from './edge-sessions.js';
