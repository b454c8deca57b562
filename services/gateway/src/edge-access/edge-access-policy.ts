import type { IncomingMessage, ServerResponse } from 'node:http';
import { anonymous, type Principal } from '@quire/context';
import { notFound, securityHeaders } from '@quire/errors';
import { Cookies, drainRequest, sessionCookie, sessionTokensOf } from '@quire/http-server';
import type { Tenant } from '@quire/tenancy';
import type { CredentialAuthentication } from '../authentication/index.js';
import type { EdgeAccessError } from './edge-access-error.js';
import { assertionHeader } from './edge-access.js';
import type { EdgeAuthentication } from './edge-authentication.js';
import { acceptsSessionCookie, isPublicUnderEdgeAccess, isDisabledUnderEdgeAccess } from './edge-paths.js';

/** A request with what the gateway knows about it. */
export interface EdgeRequest {
  request: IncomingMessage;
  response: ServerResponse;
  path: string;
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
  assertAvailable(path: string): void {
    if (isDisabledUnderEdgeAccess(path)) throw notFound('path');
  }

  /** Forgets the users of one tenant, or of all. */
  drop(tenantId?: string): void {
    this.authentication.drop(tenantId);
  }

  /**
   * Who calls: whom the assertion means, at every path; without one, at open paths alone, nobody in particular, or at
   * those for readers of the site whom the session cookie means. A browser at a protected path is given a session when
   * it has none. Open paths give none: caches may keep their answers.
   * @throws EdgeAccessError, QuireError SERVICE_UNAVAILABLE, ACCOUNT_DISABLED.
   */
  async principal(edge: EdgeRequest): Promise<Principal> {
    const { request, path, tenant, requestId, clientAddress, origin } = edge;
    const { [assertionHeader]: assertion, 'user-agent': userAgent, cookie } = request.headers;
    const isOpen = isPublicUnderEdgeAccess(path);
    const sessions = sessionTokensOf(cookie);
    if (assertion === undefined && isOpen)
      return acceptsSessionCookie(path)
        ? this.credentials.sessionOfCookies(sessions, tenant)
        : anonymous(tenant);
    const requestInfo = { sessions, userAgent, requestId, clientAddress, origin };
    const text = typeof assertion === 'string' ? assertion : undefined;
    const visitor = await this.authentication.resolveUser(text, tenant, requestInfo, !isOpen);
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
