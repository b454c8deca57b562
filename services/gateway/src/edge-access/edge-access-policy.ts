import type { IncomingMessage, ServerResponse } from 'node:http';
import { anonymous, type Principal } from '@quire/context';
import { notFound, securityHeaders } from '@quire/errors';
import { Cookies, drainRequest, sessionCookie, sessionTokensOf } from '@quire/http-server';
import type { Tenant } from '@quire/tenancy';
import type { CredentialAuthentication } from '../authentication/index.js';
import type { EdgeAccessError } from './edge-access-error.js';
import { assertionHeader } from './edge-access.js';
import type { EdgeAuthentication } from './edge-authentication.js';
import type { Route } from '../routing/router.js';

/** A request with what the gateway knows about it. */
export interface EdgeRequest {
  request: IncomingMessage;
  response: ServerResponse;
  route: Route;
  tenant: Tenant;
  requestId: string;
  clientAddress: string | null;
  /** Origin at which the client reached the site. */
  origin: string;
}

/** The rules of an installation that an edge access proxy stands before (spec document 1, Edge access mode). */
export class EdgeAccessPolicy {
  constructor(
    private readonly authentication: EdgeAuthentication,
    private readonly credentials: CredentialAuthentication,
  ) {}

  /** @throws QuireError NOT_FOUND for what the proxy replaces. */
  assertAvailable({ underEdgeAccess }: Route): void {
    if (underEdgeAccess === 'disabled') throw notFound('path');
  }

  /** Invalidates the users of one tenant, or of all. */
  invalidate(tenantId?: string): void {
    this.authentication.invalidate(tenantId);
  }

  /**
   * The principal of a request: the user that the assertion names, on every path. Without an assertion public paths get
   * an anonymous principal, or that of the session cookie where they accept it. A browser on a protected path is given
   * a session when it has none; public paths give none, because caches may keep their responses.
   * @throws EdgeAccessError, QuireError SERVICE_UNAVAILABLE, ACCOUNT_DISABLED.
   */
  async principal(edge: EdgeRequest): Promise<Principal> {
    const { request, route, tenant, requestId, clientAddress, origin } = edge;
    const { [assertionHeader]: assertion, 'user-agent': userAgent, cookie } = request.headers;
    const isProtected = route.underEdgeAccess === 'protected';
    const sessions = sessionTokensOf(cookie);
    if (assertion === undefined && !isProtected)
      return route.underEdgeAccess === 'public-with-session'
        ? this.credentials.sessionOfCookies(sessions, tenant)
        : anonymous(tenant);
    const requestInfo = { sessions, userAgent, requestId, clientAddress, origin };
    const text = typeof assertion === 'string' ? assertion : undefined;
    const visitor = await this.authentication.resolveUser(text, tenant, requestInfo, isProtected);
    if (visitor.newSession !== undefined) setSessionCookie(edge, visitor.newSession);
    return visitor.principal;
  }

  /**
   * A request that says by a token who calls may come without an assertion, not with one that does not hold.
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
