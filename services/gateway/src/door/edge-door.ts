import type { IncomingMessage, ServerResponse } from 'node:http';
import { anonymous, type Principal } from '@quire/context';
import { notFound, usualHeaders } from '@quire/errors';
import { Cookies, drainRequest, sessionCookie, sessionTextsOf } from '@quire/http-server';
import type { Tenant } from '@quire/tenancy';
import {
  assertionHeader,
  type CredentialAuthentication,
  type EdgeAuthentication,
  type EdgeRefusal,
} from '../authentication/index.js';
import { isKnowingSessions, isOpenAtTheEdge, isReplacedByTheEdge } from './edge-paths.js';

/** A request as the door has come to know it. */
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
export class EdgeDoor {
  constructor(
    private readonly authentication: EdgeAuthentication,
    private readonly credentials: CredentialAuthentication,
  ) {}

  /** @throws QuireError NOT_FOUND for what the proxy replaces. */
  requireAvailable(path: string): void {
    if (isReplacedByTheEdge(path)) throw notFound('path');
  }

  /** Forgets the users of one tenant, or of all. */
  drop(tenantId?: string): void {
    this.authentication.drop(tenantId);
  }

  /**
   * Who calls: whom the assertion means, at every path; without one, at open paths alone, nobody in particular, or at those
   * for readers of the site whom the session cookie means. A browser at a protected path is given a session when it has none.
   * Open paths give none: caches may keep their answers.
   * @throws EdgeRefusal, QuireError SERVICE_UNAVAILABLE, ACCOUNT_DISABLED.
   */
  async principal(edge: EdgeRequest): Promise<Principal> {
    const { request, path, tenant, requestId, clientAddress, origin } = edge;
    const { [assertionHeader]: assertion, 'user-agent': userAgent, cookie } = request.headers;
    const isOpen = isOpenAtTheEdge(path);
    const sessions = sessionTextsOf(cookie);
    if (assertion === undefined && isOpen)
      return isKnowingSessions(path)
        ? this.credentials.sessionOfCookies(sessions, tenant)
        : anonymous(tenant);
    const visit = { sessions, userAgent, requestId, clientAddress, origin };
    const text = typeof assertion === 'string' ? assertion : undefined;
    const visitor = await this.authentication.visitor(text, tenant, visit, !isOpen);
    if (visitor.newSession !== undefined) giveSession(edge, visitor.newSession);
    return visitor.principal;
  }

  /**
   * A request that says by a token who calls may come without an assertion, not with one that does not hold.
   * @throws EdgeRefusal, QuireError SERVICE_UNAVAILABLE.
   */
  async requireSoundAssertion({ headers }: IncomingMessage): Promise<void> {
    const { [assertionHeader]: assertion } = headers;
    if (assertion !== undefined) await this.authentication.check(String(assertion));
  }
}

/** Until the browser is closed: the proxy signs in again whoever comes back. */
function giveSession({ response, origin }: EdgeRequest, text: string): void {
  const isSecure = origin.startsWith('https:');
  const cookies = new Cookies(undefined, isSecure, (line) => void response.setHeader('set-cookie', line));
  cookies.set(sessionCookie, text, { path: '/' });
}

/** Tells who comes past the proxy that he may not: in plain text (contract 29). */
export function writeEdgeRefusal(
  request: IncomingMessage,
  response: ServerResponse,
  { status, message }: EdgeRefusal,
): void {
  response.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    ...usualHeaders,
  });
  response.end(message);
  drainRequest(request, status);
}
