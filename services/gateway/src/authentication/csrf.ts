import type { IncomingHttpHeaders } from 'node:http';
import { QuireError } from '@quire/errors';
import { apiPrefix, hasSessionCookie } from '@quire/http-server';
import { isPagePath } from '@quire/ui';
import { allowsCrossOrigin } from '../routing/protocol-paths.js';

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);
/** Values of Sec-Fetch-Site for what a page of this very origin, or the user by the browser itself, sends. */
const ownSites: ReadonlySet<string> = new Set(['same-origin', 'none']);
const exemptPrefix = '/.well-known/';
/** Forms without scripts cannot send the header: they have tokens of their own, and must come from the site itself. */
const isOwnForm = (path: string) => isPagePath(path) || path === `${apiPrefix}/auth/magic-link/verify`;

export interface CsrfInput {
  method: string;
  /** Path of the request, without its query. */
  path: string;
  headers: IncomingHttpHeaders;
  /** Whether a proxy has added who the browser's user is. */
  isProxyAuthenticated?: boolean;
  /**
   * Origins that are this site's own: its public one, and that of the request's Host, both by the
   * installation's scheme.
   */
  ownOrigins: readonly string[];
}

/**
 * Guards writes that a browser could be tricked into (spec document 1, Credentials). A Bearer request needs
 * nothing; one with a session cookie, or with the word of a proxy that adds it to whatever a browser sends,
 * needs the header `X-CMS-Request: 1`; one without any credential needs that header or an Origin of the site
 * itself, unless it has no Origin at all and so is no browser's. The forms of pages are held to the latter,
 * and the endpoints of OAuth that clients of any origin use are exempt. Where the browser says by
 * Sec-Fetch-Site that a page of another origin sends the request, a credential that the browser adds is
 * refused even with the header: no such page can have been let send it.
 * @throws QuireError CSRF_REJECTED
 */
export function checkCsrf({
  method,
  path,
  headers,
  isProxyAuthenticated = false,
  ownOrigins,
}: CsrfInput): void {
  if (safeMethods.has(method) || headers.authorization !== undefined) return;
  if (allowsCrossOrigin(path) || path.startsWith(exemptPrefix)) return;
  const { origin, 'sec-fetch-site': site } = headers;
  const isOfOtherPage = site !== undefined && !ownSites.has(String(site));
  const isSignedIn = isProxyAuthenticated || hasSessionCookie(headers.cookie);
  if (isSignedIn && isOfOtherPage) throw new QuireError('CSRF_REJECTED', 'Cross-origin request rejected');
  if (headers['x-cms-request'] === '1') return;
  const hasSession = isSignedIn && !isOwnForm(path);
  const isOwn = !isOfOtherPage && (origin === undefined || ownOrigins.includes(origin));
  if (!hasSession && isOwn) return;
  throw new QuireError('CSRF_REJECTED', 'Send the header X-CMS-Request: 1 with this request');
}
