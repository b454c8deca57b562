export { browserName } from './browser-name.js';
export { isLocalPath, locationOf } from './local-path.js';
export { endOwnSession, endSession, endSessionsOf } from './operations/end-session.js';
export { listSessions, type OwnSession } from './operations/list-sessions.js';
export { openSession } from './operations/open-session.js';
export { readMe, type Me } from './operations/read-me.js';
export { signIn } from './operations/sign-in.js';
export { verifySession } from './operations/verify-session.js';
export { clearSessionCookie, setSessionCookie, signOutHeaders } from './session-cookie.js';
export { Session } from './session.entity.js';
export { SessionsController } from './sessions.controller.js';
export { renewSession, trimSessions } from './sessions.repository.js';
export {
  sessionAuthenticationMigration,
  sessionExpiryMigration,
  sessionsMigration,
} from './sessions.tables.js';
export { UserBrowser } from './user-browser.entity.js';
