import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import { pagesPrefix, type Cookies } from '@quire/http-server';
import type { FastifyReply } from 'fastify';
import { FormToken } from '../html/index.js';
import { locationOf } from '../sessions/index.js';
import { setupProgress } from '../setup/index.js';

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
  documented: false,
  bare: true,
} as const;

/** The token of all forms of the pages. */
export const formToken = new FormToken('cms_admin_csrf', pagesPrefix);

/** @throws QuireError CSRF_REJECTED for a form that no page of this browser sent. */
export function requireOwnForm(cookies: Cookies, sent: string | undefined): void {
  if (!formToken.isOwn(cookies, sent))
    throw new QuireError('CSRF_REJECTED', 'This form is out of date: go back, reload the page and try again');
}

/** Whether somebody has signed in with this browser; a token does not do. */
export function isSignedIn({ principal }: Context): boolean {
  return principal.kind === 'session';
}

/**
 * Where somebody who is not signed in goes first: the setup of a site without users, else the login, which leads back
 * (contract 4). @param back path to come to afterwards
 */
export async function wayIn(ctx: Context, back: string): Promise<string> {
  return (await needsSetup(ctx)) ? paths.setup : `${paths.login}?redirect=${encodeURIComponent(back)}`;
}

/** Whether the site waits for its first user. */
export async function needsSetup(ctx: Context): Promise<boolean> {
  return !(await setupProgress(ctx.db)).hasUsers;
}

/** Leads the browser on; after a form with 303, so that what comes is read. */
export async function leadTo(reply: FastifyReply, location: string): Promise<undefined> {
  const status = reply.request.method === 'POST' ? 303 : 302;
  await reply
    .type('text/html; charset=utf-8')
    .headers({ 'cache-control': 'no-store', 'referrer-policy': 'same-origin' })
    .redirect(locationOf(location), status);
  return undefined;
}
