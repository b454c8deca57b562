import type { IncomingHttpHeaders } from 'node:http';
import { QuireError } from '@quire/errors';
import { hasSessionCookie } from '@quire/http-server';
import type { CsrfRule } from '@quire/operation';

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);
/** Values of Sec-Fetch-Site for what a page of this very origin, or the user by the browser itself, sends. */
const ownSites: ReadonlySet<string> = new Set(['same-origin', 'none']);

export interface CsrfInput {
  method: string;
  /** Rule of the request's path. */
  rule: CsrfRule;
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
 * Guards writes that a browser could be tricked into (spec document 1, Credentials). Requests with a Bearer token pass.
 * Those with a session cookie, or with the assertion that a proxy adds to all requests of a browser, need the header
 * `X-CMS-Request: 1`. Those without credentials need that header, an Origin of the site itself, or no Origin at all,
 * which no browser omits. Paths of the rule `form` hold all requests to the latter, those of the rule `none` pass.
 * Where Sec-Fetch-Site names a page of another origin, a request with a credential that the browser adds is rejected
 * even with the header, which such a page cannot have been allowed to send.
 * @throws QuireError CSRF_REJECTED
 */
export function checkCsrf({
  method,
  rule,
  headers,
  isProxyAuthenticated = false,
  ownOrigins,
}: CsrfInput): void {
  if (rule === 'none' || safeMethods.has(method) || headers.authorization !== undefined) return;
  const { origin, 'sec-fetch-site': site } = headers;
  const isOfOtherPage = site !== undefined && !ownSites.has(String(site));
  const isSignedIn = isProxyAuthenticated || hasSessionCookie(headers.cookie);
  if (isSignedIn && isOfOtherPage) throw new QuireError('CSRF_REJECTED', 'Cross-origin request rejected');
  if (headers['x-cms-request'] === '1') return;
  const hasSession = isSignedIn && rule !== 'form';
  const isOwn = !isOfOtherPage && (origin === undefined || ownOrigins.includes(origin));
  if (!hasSession && isOwn) return;
  throw new QuireError('CSRF_REJECTED', 'Send the header X-CMS-Request: 1 with this request');
}
