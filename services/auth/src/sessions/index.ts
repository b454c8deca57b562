export { isLocalPath } from './local-path.js';
export { endSessionsOf } from './operations/end-session.js';
export { openSession } from './operations/open-session.js';
export { signIn } from './operations/sign-in.js';
export { verifySession } from './operations/verify-session.js';
export { clearSessionCookie, setSessionCookie } from './session-cookie.js';
export { Session } from './session.entity.js';
export { SessionsController } from './sessions.controller.js';
export { sessionsMigration } from './sessions.tables.js';
