export { browserName } from './browser-name.js';
export {
  getMe,
  isSignedIn,
  endOwnSession,
  listOwnSessions,
  openSession,
  signIn,
  signOut,
  verifySession,
} from './sessions.operations.js';
export { clearSessionCookie, setSessionCookie, signOutHeaders } from './session-cookie.js';
export {
  renewSession,
  revokeSessions,
  trimSessions,
  type Me,
  type OwnSession,
} from './sessions.repository.js';
