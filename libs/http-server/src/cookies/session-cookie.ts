import { randomBytes } from 'node:crypto';
import { hostPrefix, valuesOf } from './cookie-names.js';

/**
 * Name of the session cookie, as the OpenAPI document says (contract 4); on https it has the prefix
 * `__Host-`.
 */
export const sessionCookie = 'cms_session';

const randomByteCount = 32;
/** Prefix of the token of a session that is valid only under the prefixed name. */
const hostOnlyMark = 'h.';
const shape = /^[\w-]{43}$/;
/** Maximum number of session cookies that are looked up; only an attack sends more. */
const maxSessionTokens = 5;

/**
 * The text of a new session's cookie. It tells under which name it counts: on https under the prefixed one
 * alone, which no other host can set. The bare name is thus good for sessions of http, and for those that an
 * earlier release opened on https, which end by themselves 90 days after it was replaced (decision 62).
 * @param origin where the browser signs in
 */
export function createSessionToken(origin: string | null): string {
  const text = randomBytes(randomByteCount).toString('base64url');
  return isHttps(origin) ? hostOnlyMark + text : text;
}

/** Whether an origin's cookies have the prefix. */
export function isHttps(origin: string | null | undefined): boolean {
  return origin?.startsWith('https:') ?? false;
}

/** Whether a session counts under the prefixed name, which one browser has once at most. */
export function isHostOnlySessionToken(text: string): boolean {
  return text.startsWith(hostOnlyMark);
}

/** Whether a browser has sent a session cookie, whatever it holds. */
export function hasSessionCookie(header: string | undefined): boolean {
  if (!header?.includes(sessionCookie)) return false;
  const values = [...valuesOf(header, hostPrefix + sessionCookie), ...valuesOf(header, sessionCookie)];
  return values.some((value) => value !== '');
}

/**
 * The texts of sessions that a Cookie header carries, those of the prefixed name first. There is more than
 * one where another host of the domain has planted a cookie of the bare name.
 */
export function sessionTokensOf(header: string | undefined): string[] {
  if (!header?.includes(sessionCookie)) return [];
  const hostOnly = valuesOf(header, hostPrefix + sessionCookie).filter(
    (text) => isHostOnlySessionToken(text) && shape.test(text.slice(hostOnlyMark.length)),
  );
  const plain = valuesOf(header, sessionCookie).filter((text) => shape.test(text));
  return [...new Set([...hostOnly, ...plain])].slice(0, maxSessionTokens);
}
