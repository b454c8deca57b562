import { randomBytes } from 'node:crypto';
import type { Cookies } from '@quire/http-server';

const name = 'cms_session';
const path = '/';
const randomByteCount = 32;

/** How long a session lasts when it is not used, and how long at most. */
export const idleDays = 14;
export const longestDays = 90;

const secondsOfDay = 86_400;

/** The text of a new session's cookie. */
export const newSessionText = (): string => randomBytes(randomByteCount).toString('base64url');

/** Gives the browser its session (contract 4, Cookies). */
export function setSessionCookie(cookies: Cookies, text: string): void {
  cookies.set(name, text, { path, maxAgeSeconds: longestDays * secondsOfDay });
}

export function clearSessionCookie(cookies: Cookies): void {
  cookies.clear(name, { path });
}
