export { browserName } from './browser-name.js';
export { isSignedIn } from './is-signed-in.js';
export { signOut, endOwnSession, revokeSessions } from './operations/end-session.js';
export { listOwnSessions, type OwnSession } from './operations/list-own-sessions.js';
export { openSession } from './operations/open-session.js';
export { getMe, type Me } from './operations/get-me.js';
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
