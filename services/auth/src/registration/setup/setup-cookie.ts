import type { Cookies } from '@quire/http-server';

const linkName = 'cms_setup_link';
const name = 'cms_setup_nonce';
const path = '/_cms/';
const sameSite = 'strict';

/** Lifetime of an attempt and of both cookies. */
export const attemptSeconds = 3_600;

/** Stores the nonce that binds the steps of the setup to one browser (contract 4, Cookies). */
export function setSetupCookie(cookies: Cookies, nonce: string): void {
  cookies.set(name, nonce, { path, sameSite, maxAgeSeconds: attemptSeconds });
}

/** @returns the nonce of the browser's setup; undefined without one. */
export function setupCookie(cookies: Cookies): string | undefined {
  return cookies.get(name);
}

/** Stores the secret of the setup link. Not strict: login providers redirect back from another site. */
export function setSetupLinkCookie(cookies: Cookies, link: string): void {
  cookies.set(linkName, link, { path, sameSite: 'lax', maxAgeSeconds: attemptSeconds });
}

/** @returns the secret of the setup link; undefined in a browser that has not opened the link. */
export function setupLinkCookie(cookies: Cookies): string | undefined {
  return cookies.get(linkName);
}

/** Clears both cookies after the setup. */
export function clearSetupCookies(cookies: Cookies): void {
  cookies.clear(name, { path, sameSite });
  cookies.clear(linkName, { path });
}
