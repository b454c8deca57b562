import type { IncomingHttpHeaders } from 'node:http';
import { QuireError } from '@quire/errors';
import { apiPrefix, isPagePath } from '@quire/http-server';
import { sessionIdOf } from '../authentication/index.js';
import { isOfAnyOrigin } from './protocol-paths.js';

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);
const exemptPrefix = '/.well-known/';
/** Forms without scripts cannot send the header: they have tokens of their own, and must come from the site itself. */
const isOwnForm = (path: string) => isPagePath(path) || path === `${apiPrefix}/auth/magic-link/verify`;

export interface CsrfQuestion {
  method: string;
  /** Path of the request, without its query. */
  path: string;
  headers: IncomingHttpHeaders;
  /** Whether a proxy has added who the browser's user is. */
  isVouchedFor?: boolean;
  /** Origins that are the site's own: the configured public one and the request's. */
  ownOrigins: readonly string[];
}

/**
 * Guards writes that a browser could be tricked into (spec document 1, Credentials). A Bearer request needs nothing; one
 * with a session cookie, or with the word of a proxy that adds it to whatever a browser sends, needs the header `X-CMS-Request: 1`; one without any credential needs that header or an Origin of
 * the site itself, unless it has no Origin at all and so is no browser's. The forms of pages are held to the latter, and the
 * endpoints of OAuth that clients of any origin use are exempt.
 * @throws QuireError CSRF_REJECTED
 */
export function checkCsrf({ method, path, headers, isVouchedFor = false, ownOrigins }: CsrfQuestion): void {
  if (safeMethods.has(method) || headers.authorization !== undefined) return;
  if (headers['x-cms-request'] === '1') return;
  if (isOfAnyOrigin(path) || path.startsWith(exemptPrefix)) return;
  const isSignedIn = isVouchedFor || sessionIdOf(headers.cookie) !== undefined;
  const hasSession = isSignedIn && !isOwnForm(path);
  const { origin } = headers;
  if (!hasSession && (origin === undefined || ownOrigins.includes(origin))) return;
  throw new QuireError('CSRF_REJECTED', 'Send the header X-CMS-Request: 1 with this request');
}
