import type { IncomingHttpHeaders } from 'node:http';
import { QuireError } from '@quire/errors';

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);
const sessionCookie = /(?:^|;\s*)cms_session=/;

export interface CsrfQuestion {
  method: string;
  headers: IncomingHttpHeaders;
  /** Origins that are the site's own: the configured public one and the request's. */
  ownOrigins: readonly string[];
}

/**
 * Guards writes that a browser could be tricked into (spec document 1, Credentials). A Bearer request needs nothing; one
 * with a session cookie needs the header `X-CMS-Request: 1`; one without any credential needs that header or an Origin of
 * the site itself, unless it has no Origin at all and so is no browser's.
 * @throws QuireError CSRF_REJECTED
 */
export function checkCsrf({ method, headers, ownOrigins }: CsrfQuestion): void {
  if (safeMethods.has(method) || headers.authorization !== undefined) return;
  if (headers['x-cms-request'] === '1') return;
  const hasSession = sessionCookie.test(headers.cookie ?? '');
  const { origin } = headers;
  if (!hasSession && (origin === undefined || ownOrigins.includes(origin))) return;
  throw new QuireError('CSRF_REJECTED', 'Send the header X-CMS-Request: 1 with this request');
}
