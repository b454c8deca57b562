import type { Cookies } from '@quire/http-server';

const linkName = 'cms_setup_link';
const name = 'cms_setup_nonce';
const path = '/_cms/';
const sameSite = 'strict';

/** Lifetime of an attempt and of both cookies. */
export const attemptSeconds = 3_600;

/** Binds the steps of the setup to one browser (contract 4, Cookies). */
export function setSetupCookie(cookies: Cookies, nonce: string): void {
  cookies.set(name, nonce, { path, sameSite, maxAgeSeconds: attemptSeconds });
}

export function setupCookie(cookies: Cookies): string | undefined {
  return cookies.get(name);
}

/** Stores the secret of the setup link. Not strict: login providers redirect back from another site. */
export function setSetupLinkCookie(cookies: Cookies, link: string): void {
  cookies.set(linkName, link, { path, sameSite: 'lax', maxAgeSeconds: attemptSeconds });
}

export function setupLinkCookie(cookies: Cookies): string | undefined {
  return cookies.get(linkName);
}

export function clearSetupCookies(cookies: Cookies): void {
  cookies.clear(name, { path, sameSite });
  cookies.clear(linkName, { path });
}
