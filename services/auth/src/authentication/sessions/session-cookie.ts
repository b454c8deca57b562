import { sessionCookie, type Cookies } from '@quire/http-server';

const path = '/';

/** Lifetime of an unused session. */
export const idleDays = 14;
/** Lifetime of any session. */
export const maxSessionDays = 90;

const secondsOfDay = 86_400;

/**
 * Headers of a response that signs out: the browser clears its cached pages. The directive `cookies` would end sessions
 * at other hosts of the domain; `storage` would delete unsaved drafts.
 */
export const signOutHeaders = { 'clear-site-data': '"cache"' };

/** Sets the session cookie (contract 4, Cookies) and clears the unprefixed cookie of earlier releases. */
export function setSessionCookie(cookies: Cookies, text: string): void {
  cookies.set(sessionCookie, text, { path, maxAgeSeconds: maxSessionDays * secondsOfDay });
  cookies.clearUnprefixed(sessionCookie, { path });
}

/** Clears the session cookie and the unprefixed cookie of earlier releases. */
export function clearSessionCookie(cookies: Cookies): void {
  cookies.clear(sessionCookie, { path });
  cookies.clearUnprefixed(sessionCookie, { path });
}
