import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import { pagesPrefix, type Cookies } from '@quire/http-server';
import type { FastifyReply } from 'fastify';
import { CsrfToken } from '../html/index.js';
import { toLocationHeader } from '../authentication/sessions/index.js';
import { selectSetupProgress } from '../registration/setup/index.js';

/** Paths of the pages that others lead to. */
export const paths = {
  home: pagesPrefix,
  login: `${pagesPrefix}/login`,
  setup: `${pagesPrefix}/setup`,
  setupAccount: `${pagesPrefix}/setup/account`,
  invite: `${pagesPrefix}/invite/accept`,
  signup: `${pagesPrefix}/signup`,
  device: `${pagesPrefix}/device`,
} as const;

/** What every page's declaration has. */
export const pageOperation = {
  tag: 'Pages',
  access: 'public',
  scope: null,
  isDocumented: false,
  envelope: false,
} as const;

/** The token of all forms of the pages. */
export const csrfToken = new CsrfToken('cms_admin_csrf', pagesPrefix);

/** @throws QuireError CSRF_REJECTED for a missing or wrong CSRF token. */
export function assertCsrfToken(cookies: Cookies, sent: string | undefined): void {
  if (!csrfToken.verify(cookies, sent))
    throw new QuireError('CSRF_REJECTED', 'This form has expired: go back, reload the page and try again');
}

/** Whether the request has a session; a token is not accepted. */
export function isSignedIn({ principal }: Context): boolean {
  return principal.kind === 'session';
}

/**
 * Where somebody who is not signed in goes first: the setup of a site without users, else the login, which leads back
 * (contract 4). @param back path to come to afterwards
 */
export async function signInRedirect(ctx: Context, back: string): Promise<string> {
  return (await needsSetup(ctx)) ? paths.setup : `${paths.login}?redirect=${encodeURIComponent(back)}`;
}

/** Whether the site waits for its first user. */
export async function needsSetup(ctx: Context): Promise<boolean> {
  return !(await selectSetupProgress(ctx.db)).hasUsers;
}

/** Redirects the browser; 303 after a form post, so that the target is requested with GET. */
export async function redirectTo(reply: FastifyReply, location: string): Promise<undefined> {
  const status = reply.request.method === 'POST' ? 303 : 302;
  await reply
    .type('text/html; charset=utf-8')
    .headers({ 'cache-control': 'no-store', 'referrer-policy': 'same-origin' })
    .redirect(toLocationHeader(location), status);
  return undefined;
}
