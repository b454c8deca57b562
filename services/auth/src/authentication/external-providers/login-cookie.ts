import { randomBytes } from 'node:crypto';
import { apiPrefix, type Cookies } from '@quire/http-server';

const name = 'cms_login';
/** Providers lead the browser back from their own site: a strict cookie would not come along. */
const options = { path: `${apiPrefix}/auth/oauth`, sameSite: 'lax' } as const;
const randomByteCount = 32;
const shape = /^[\w-]{43}$/;

/** How long somebody may be away at a provider. */
export const attemptSeconds = 600;

/** The text that binds logins to the browser that began them. Several that are open at once share it. */
export function setLoginCookie(cookies: Cookies): string {
  const text = loginCookie(cookies) ?? randomBytes(randomByteCount).toString('base64url');
  cookies.set(name, text, { ...options, maxAgeSeconds: attemptSeconds });
  return text;
}

export function loginCookie(cookies: Cookies): string | undefined {
  const text = cookies.get(name);
  return text !== undefined && shape.test(text) ? text : undefined;
}
