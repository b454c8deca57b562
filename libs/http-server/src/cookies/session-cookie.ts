import { randomBytes } from 'node:crypto';
import { hostPrefix, valuesOf } from './cookie-names.js';

/** Name of the session cookie in the OpenAPI document (contract 4); on https it has the prefix `__Host-`. */
export const sessionCookie = 'cms_session';

const randomByteCount = 32;
/** Prefix of the token of a session that is valid only under the prefixed name. */
const hostOnlyMark = 'h.';
const shape = /^[\w-]{43}$/;
/** Maximum number of session cookies that are looked up; only an attack sends more. */
const maxSessionTokens = 5;

/**
 * The text of a new session's cookie. It determines the valid name: on https only the prefixed one, which no other host
 * can set. The bare name is thus valid for sessions of http, and for those that an earlier release opened on https,
 * which expire 90 days after that release was replaced (decision 62).
 * @param origin origin at which the browser signs in
 */
export function createSessionToken(origin: string | null): string {
  const text = randomBytes(randomByteCount).toString('base64url');
  return isHttps(origin) ? hostOnlyMark + text : text;
}

/** Whether an origin's cookies have the prefix. */
export function isHttps(origin: string | null | undefined): boolean {
  return origin?.startsWith('https:') ?? false;
}

/** Whether a session is valid under the prefixed name, which a browser has at most once. */
export function isHostOnlySessionToken(text: string): boolean {
  return text.startsWith(hostOnlyMark);
}

/** Whether a browser sent a session cookie, with any value. */
export function hasSessionCookie(header: string | undefined): boolean {
  if (!header?.includes(sessionCookie)) return false;
  const values = [...valuesOf(header, hostPrefix + sessionCookie), ...valuesOf(header, sessionCookie)];
  return values.some((value) => value !== '');
}

/**
 * The session texts of a Cookie header, those of the prefixed name first. There are several where another host of the
 * domain has planted a cookie of the bare name.
 */
export function sessionTokensOf(header: string | undefined): string[] {
  if (!header?.includes(sessionCookie)) return [];
  const hostOnly = valuesOf(header, hostPrefix + sessionCookie).filter(
    (text) => isHostOnlySessionToken(text) && shape.test(text.slice(hostOnlyMark.length)),
  );
  const plain = valuesOf(header, sessionCookie).filter((text) => shape.test(text));
  return [...new Set([...hostOnly, ...plain])].slice(0, maxSessionTokens);
}
