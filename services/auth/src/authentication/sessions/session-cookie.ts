import { sessionCookie, type Cookies } from '@quire/http-server';

const path = '/';

/** How long a session lasts when it is not used, and how long at most. */
export const idleDays = 14;
export const maxSessionDays = 90;

const secondsOfDay = 86_400;

/**
 * What an answer that signs somebody out has beside its cookies: the browser forgets the pages that it showed
 * them. Its `cookies` would end sessions at other hosts of the domain, its `storage` would take the texts
 * that are not saved yet.
 */
export const signOutHeaders = { 'clear-site-data': '"cache"' };

/** Gives the browser its session (contract 4, Cookies), in place of one that an earlier release opened. */
export function setSessionCookie(cookies: Cookies, text: string): void {
  cookies.set(sessionCookie, text, { path, maxAgeSeconds: maxSessionDays * secondsOfDay });
  cookies.clearUnprefixed(sessionCookie, { path });
}

export function clearSessionCookie(cookies: Cookies): void {
  cookies.clear(sessionCookie, { path });
  cookies.clearUnprefixed(sessionCookie, { path });
}
