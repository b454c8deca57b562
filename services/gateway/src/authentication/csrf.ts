import type { IncomingHttpHeaders } from 'node:http';
import { QuireError } from '@quire/errors';
import { hasSessionCookie } from '@quire/http-server';
import type { CsrfRule } from '@quire/operation';

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);
/** Whether requests of a method change nothing. */
export const isSafeMethod = (method: string): boolean => safeMethods.has(method);

/** Values of Sec-Fetch-Site for requests of a page of this origin, and of the user through the browser itself. */
const ownSites: ReadonlySet<string> = new Set(['same-origin', 'none']);

export interface CsrfInput {
  method: string;
  /** Rule of the request's path. */
  rule: CsrfRule;
  headers: IncomingHttpHeaders;
  /** Whether a proxy has added the identity of the browser's user. */
  isProxyAuthenticated?: boolean;
  /** Origins of this site: its public one, and that of the request's Host, with the scheme of the installation. */
  ownOrigins: readonly string[];
}

/**
 * Rejects forged cross-site writes (spec document 1, Credentials). Requests with a Bearer token pass. Requests with a
 * session cookie, or with the assertion that a proxy adds to all requests of a browser, need the header
 * `X-CMS-Request: 1`. Requests without credentials need that header, an Origin of the site, or no Origin: browsers
 * always send one. The rule `form` applies the latter to all requests of a path; the rule `none` lets them pass. If
 * Sec-Fetch-Site names another site, a request with a credential that the browser adds is rejected even with the
 * header: CORS does not allow such a page to send it.
 * @throws QuireError CSRF_REJECTED
 */
export function checkCsrf({
  method,
  rule,
  headers,
  isProxyAuthenticated = false,
  ownOrigins,
}: CsrfInput): void {
  if (rule === 'none' || isSafeMethod(method) || headers.authorization !== undefined) return;
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
