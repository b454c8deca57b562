import { timingSafeEqual } from 'node:crypto';
import type { Cookies } from '@quire/http-server';
import { newSecret } from '../tokens/token-texts.js';

const name = 'cms_oauth_csrf';
const options = { path: '/_cms/oauth/authorize', sameSite: 'strict' } as const;
const wellFormed = /^[A-Za-z0-9_-]{43}$/;

/** The token that the browser's consent pages carry; several that are open at once share it. */
export function consentToken(cookies: Cookies): string {
  const known = cookies.get(name) ?? '';
  const token = wellFormed.test(known) ? known : newSecret();
  cookies.set(name, token, options);
  return token;
}

/** Whether a form comes from a page that this browser was given: its field equals the browser's cookie (contract 4). */
export function isOwnForm(cookies: Cookies, field: string): boolean {
  const cookie = cookies.get(name) ?? '';
  return (
    wellFormed.test(cookie) &&
    cookie.length === field.length &&
    timingSafeEqual(Buffer.from(cookie), Buffer.from(field))
  );
}
