import { randomBytes, timingSafeEqual } from 'node:crypto';
import { apiPrefix, type Cookies } from '@quire/http-server';

const name = 'cms_link_csrf';
const options = { path: `${apiPrefix}/auth/magic-link/verify`, sameSite: 'strict' } as const;
const randomByteCount = 32;
const shape = /^[\w-]{43}$/;

/**
 * The text that both the cookie and the form of the confirmation page carry, so that no other page can send the form
 * (contract 4, CSRF). A browser with several such pages has one text.
 */
export function giveLinkCookie(cookies: Cookies): string {
  const known = cookies.get(name);
  const text =
    known !== undefined && shape.test(known) ? known : randomBytes(randomByteCount).toString('base64url');
  cookies.set(name, text, options);
  return text;
}

/** Whether the form carries what the cookie does. */
export function isOwnForm(cookies: Cookies, sent: string | undefined): boolean {
  const known = cookies.get(name);
  if (known === undefined || sent === undefined || !shape.test(known) || !shape.test(sent)) return false;
  return timingSafeEqual(Buffer.from(known), Buffer.from(sent));
}

export function clearLinkCookie(cookies: Cookies): void {
  cookies.clear(name, options);
}
