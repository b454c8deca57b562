export { AuthQuestions } from './auth-questions.js';
export { CredentialAuthentication } from './credential-authentication.js';
export { assertionHeader, EdgeAccess } from './edge-access.js';
export { EdgeAuthentication } from './edge-authentication.js';
export { EdgeRefusal } from './edge-refusal.js';
export { EdgeSessions } from './edge-sessions.js';
