import type { IncomingMessage, ServerResponse } from 'node:http';
import { anonymous, type Principal } from '@quire/context';
import { notFound, securityHeaders } from '@quire/errors';
import { Cookies, drainRequest, sessionCookie, sessionTokensOf } from '@quire/http-server';
import type { Tenant } from '@quire/tenancy';
import type { CredentialAuthentication } from '../authentication/index.js';
import { assertionHeader, type EdgeAccessError } from './edge-access.js';
import type { EdgeAuthentication } from './edge-authentication.js';
import type { Route } from '../routing/router.js';

/** A request with the facts that the gateway has resolved. */
export interface EdgeRequest {
  request: IncomingMessage;
  response: ServerResponse;
  route: Route;
  tenant: Tenant;
  requestId: string;
  clientAddress: string | null;
  /** Trace context of the request. */
  trace: string;
  /** Origin at which the client reached the site. */
  origin: string;
}

/** Authentication of an installation behind an edge access proxy (spec document 1, Edge access mode). */
export class EdgeAccessPolicy {
  constructor(
    private readonly authentication: EdgeAuthentication,
    private readonly credentials: CredentialAuthentication,
  ) {}

  /** @throws QuireError NOT_FOUND for paths that the proxy replaces. */
  assertAvailable({ underEdgeAccess }: Route): void {
    if (underEdgeAccess === 'disabled') throw notFound('path');
  }

  /** Invalidates one user, the users of one tenant, or all. */
  invalidate(tenantId?: string, userId?: string): void {
    this.authentication.invalidate(tenantId, userId);
  }

  /**
   * Returns the principal of a request: the user of the assertion, on every path. Without an assertion, public paths
   * get an anonymous principal, or that of the session cookie if they accept it. A browser on a protected path gets a
   * session if it has none. Responses of public paths set no session, because caches may store them.
   * @throws EdgeAccessError, QuireError SERVICE_UNAVAILABLE, ACCOUNT_DISABLED.
   */
  async principal(edge: EdgeRequest): Promise<Principal> {
    const { request, route, tenant, requestId, clientAddress, origin, trace } = edge;
    const { [assertionHeader]: assertion, 'user-agent': userAgent, cookie } = request.headers;
    const isProtected = route.underEdgeAccess === 'protected';
    const sessions = sessionTokensOf(cookie);
    if (assertion === undefined && !isProtected)
      return route.underEdgeAccess === 'public-with-session'
        ? this.credentials.sessionOfCookies(sessions, tenant, trace)
        : anonymous(tenant);
    const requestInfo = { sessions, userAgent, requestId, clientAddress, origin, trace };
    const text = typeof assertion === 'string' ? assertion : undefined;
    const user = await this.authentication.resolveUser(text, tenant, requestInfo, isProtected);
    if (user.newSession !== undefined) setSessionCookie(edge, user.newSession);
    return user.principal;
  }

  /**
   * Verifies the assertion of a request with a token. Such a request may omit it, but must not carry an invalid one.
   * @throws EdgeAccessError, QuireError SERVICE_UNAVAILABLE.
   */
  async verifyAssertionIfPresent({ headers }: IncomingMessage): Promise<void> {
    const { [assertionHeader]: assertion } = headers;
    if (assertion !== undefined) await this.authentication.check(String(assertion));
  }
}

/** A session cookie without expiry: the proxy signs the user in again. */
function setSessionCookie({ response, origin }: EdgeRequest, text: string): void {
  const isSecure = origin.startsWith('https:');
  const cookies = new Cookies(undefined, isSecure, (line) => void response.setHeader('set-cookie', line));
  cookies.set(sessionCookie, text, { path: '/' });
}

/** Responds with a plain-text error to requests that bypass the proxy (contract 29). */
export function writeEdgeAccessError(
  request: IncomingMessage,
  response: ServerResponse,
  { status, message }: EdgeAccessError,
): void {
  response.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    ...securityHeaders,
  });
  response.end(message);
  drainRequest(request, status);
}
