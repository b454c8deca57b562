import type { Cookies } from '@quire/http-server';

const name = 'cms_setup_nonce';
const path = '/_cms/';
const sameSite = 'strict';

/** How long the setup waits for the passkey of the first user. */
export const attemptSeconds = 3_600;

/** Binds the steps of the setup to one browser (contract 4, Cookies). */
export function setSetupCookie(cookies: Cookies, nonce: string): void {
  cookies.set(name, nonce, { path, sameSite, maxAgeSeconds: attemptSeconds });
}

export function setupCookie(cookies: Cookies): string | undefined {
  return cookies.get(name);
}

export function clearSetupCookie(cookies: Cookies): void {
  cookies.clear(name, { path, sameSite });
}
