import { setTimeout as wait } from 'node:timers/promises';
import type { Client } from '@quire/testing';

const callbackAttempts = 100;

/**
 * Follows the address that a program prints, as its signed-in user: approves these scopes on the consent page, and
 * opens the address of the redirect, at which the program receives the code.
 */
export async function followConsent(user: Client, address: string, scopes: readonly string[]): Promise<void> {
  const { pathname, search, origin } = new URL(address);
  const page = await user.get(pathname + search, { headers: { 'x-cms-request': undefined } });
  const csrf = /name="csrf" value="([^"]+)"/.exec(page.text)?.[1];
  if (csrf === undefined) throw new Error(`No consent page: ${page.status} ${page.text.slice(0, 500)}`);
  const cookie = /cms_oauth_csrf=[^;]+/.exec(page.setCookies.join())?.[0] ?? '';
  const fields = new URLSearchParams({ csrf, action: 'approve' });
  for (const scope of scopes) fields.append('scopes', scope);
  const redirect = await user.post(pathname + search, undefined, {
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-cms-request': undefined,
      origin,
      cookie: `cms_session=${user.session}; ${cookie}`,
    },
    rawBody: fields.toString(),
  });
  const location = redirect.headers.get('location');
  if (location === null) throw new Error(`No redirect: ${redirect.status} ${redirect.text.slice(0, 500)}`);
  await openCallback(location);
}

/** Opens the address of the redirect; the program may not listen yet when it prints the address of the consent page. */
async function openCallback(location: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const response = await fetch(location).catch((error: unknown) => {
      if (attempt === callbackAttempts) throw error;
    });
    if (response?.ok) return;
    if (response) throw new Error(`No callback: ${response.status} ${await response.text()}`);
    await wait(100);
  }
}

/** A callback for the output of a program that follows the first address of the consent page in it. */
export function onConsentAddress(user: Client, scopes: readonly string[]) {
  let followed: Promise<void> | undefined;
  return {
    /** @returns the approval that this output begins, if it does; it rejects without a redirect */
    onOutput: (output: string): Promise<void> | undefined => {
      const address = /(http\S+\/oauth\/authorize\?\S+)\s/.exec(output)?.[1];
      if (address === undefined || followed) return undefined;
      followed = followConsent(user, address, scopes);
      return followed;
    },
    /** @throws Error if there was no address, or no redirect */
    done: async () => {
      if (!followed) throw new Error('The program printed no address of the consent page');
      await followed;
    },
  };
}
