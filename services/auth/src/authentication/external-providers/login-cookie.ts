import { randomBytes } from 'node:crypto';
import { apiPrefix, type Cookies } from '@quire/http-server';

const name = 'cms_login';
/** Browsers do not send strict cookies with the provider's redirect, which comes from another site. */
const options = { path: `${apiPrefix}/auth/oauth`, sameSite: 'lax' } as const;
const randomByteCount = 32;
const shape = /^[\w-]{43}$/;

/** Lifetime of a login attempt. */
export const attemptLifetimeSeconds = 600;

/** Sets the cookie that binds logins to the browser; concurrent logins share it. @returns its text. */
export function setLoginCookie(cookies: Cookies): string {
  const text = loginCookie(cookies) ?? randomBytes(randomByteCount).toString('base64url');
  cookies.set(name, text, { ...options, maxAgeSeconds: attemptLifetimeSeconds });
  return text;
}

/** @returns the text of the login cookie; undefined when it is missing or malformed. */
export function loginCookie(cookies: Cookies): string | undefined {
  const text = cookies.get(name);
  return text !== undefined && shape.test(text) ? text : undefined;
}
