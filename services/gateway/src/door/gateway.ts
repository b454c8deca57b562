import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  anonymous,
  attachHandoff,
  gatewayIssuer,
  clientAddressHeader,
  internalTokenHeader,
  originHeader,
  requestIdHeader,
  type Handoff,
  type InternalTokenSigner,
  type Principal,
} from '@quire/context';
import { notFound, QuireError, unexpectedError } from '@quire/errors';
import { apiPrefix, serviceOfPath, sessionTextsOf, writeRefusal, type ServiceDoor } from '@quire/http-server';
import type { Logger, Metrics } from '@quire/observability';
import { siteOrigin, type PublicAddress, type TenantRegistry } from '@quire/tenancy';
import { assertionHeader, EdgeRefusal, type CredentialAuthentication } from '../authentication/index.js';
import { clientAddressOf, type TrustedProxies } from './client-address.js';
import { checkCsrf } from './csrf.js';
import { isProtocolPath } from './protocol-paths.js';
import { cookiesFor } from './service-cookies.js';
import { writeEdgeRefusal, type EdgeDoor, type EdgeRequest } from './edge-door.js';

export interface GatewayParts {
  registry: TenantRegistry;
  credentials: CredentialAuthentication;
  /** Where an edge access proxy signs people in. */
  edge?: EdgeDoor | undefined;
  signer: InternalTokenSigner;
  /** Every service by name, the gateway's own application among them. */
  doors: ReadonlyMap<string, ServiceDoor>;
  /** Where clients reach the installation, as far as nothing else is known. */
  publicAddress: PublicAddress;
  trustedProxies: TrustedProxies;
  logger: Logger;
  metrics: Metrics;
}

interface Passage {
  requestId: string;
  startedAt: number;
  service?: string;
  principal?: Principal;
}

const bearerHeader = /^bearer +(\S+)$/i;
const ownPaths = [`${apiPrefix}/openapi.json`];
/** A year; other hosts below the same domain may be somebody else's, so they are not spoken for. */
const strictTransportSecurity = 'max-age=31536000';

/**
 * The only public door (design 3): finds the tenant, authenticates, guards against forged requests, and hands the raw
 * request on with a principal beside it. It reads no body and knows nothing of entries.
 */
export class Gateway {
  constructor(private readonly parts: GatewayParts) {}

  /** Takes a request to its answer. Never rejects. */
  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const passage: Passage = { requestId: randomUUID(), startedAt: performance.now() };
    response.setHeader(requestIdHeader, passage.requestId);
    if (this.parts.publicAddress.origin.startsWith('https:'))
      response.setHeader('strict-transport-security', strictTransportSecurity);
    response.once('close', () => this.record(request, response, passage));
    try {
      await this.pass(request, response, passage);
    } catch (error) {
      this.refuse(request, response, passage, error);
    }
  }

  private async pass(request: IncomingMessage, response: ServerResponse, passage: Passage): Promise<void> {
    const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
    const service = ownPaths.includes(path) ? 'gateway' : serviceOfPath(path);
    const tenant = await this.parts.registry.byHost(request.headers.host ?? '');
    if (!tenant || !service) throw notFound(tenant ? 'path' : 'site');
    this.parts.edge?.requireAvailable(path);
    passage.service = service;
    const origin = await this.originOf(request);
    checkCsrf({
      method: request.method ?? 'GET',
      path,
      headers: request.headers,
      isVouchedFor: this.parts.edge !== undefined && request.headers[assertionHeader] !== undefined,
      ownOrigins: [origin, `${new URL(origin).protocol}//${request.headers.host}`],
    });
    const clientAddress = clientAddressOf(request, this.parts.trustedProxies);
    const { requestId } = passage;
    const known = { request, response, path, tenant, requestId, clientAddress, origin };
    const principal = await this.authenticate(known);
    passage.principal = principal;
    const door = this.parts.doors.get(service);
    if (!door)
      throw new QuireError('SERVICE_UNAVAILABLE', `The ${service} service is not part of this installation`);
    this.handOn(door, request, response, {
      principal,
      requestId,
      clientAddress,
      origin,
    });
  }

  private handOn(
    door: ServiceDoor,
    request: IncomingMessage,
    response: ServerResponse,
    handoff: Handoff,
  ): void {
    attachHandoff(request, handoff);
    if (door.isLocal) {
      if (this.parts.edge) delete request.headers[assertionHeader];
      delete request.headers[internalTokenHeader];
      delete request.headers[clientAddressHeader];
      delete request.headers[originHeader];
      door.handle(request, response, {});
      return;
    }
    const [path = ''] = (request.url ?? '/').split('?', 1);
    const binding = { service: door.service, method: request.method ?? 'GET', path };
    door.handle(request, response, {
      [internalTokenHeader]: this.parts.signer.sign(gatewayIssuer, handoff.principal, binding),
      [requestIdHeader]: handoff.requestId,
      [clientAddressHeader]: handoff.clientAddress ?? undefined,
      [originHeader]: handoff.origin ?? undefined,
      authorization: undefined,
      ...(this.parts.edge ? { [assertionHeader]: undefined } : {}),
      // Those who keep sessions alone need them.
      ...(door.service === 'auth' ? {} : { cookie: cookiesFor(door.service, request.headers.cookie) }),
    });
  }

  /** A Bearer header wins over a session cookie, and a bad one is not helped by it (contract 4). */
  private async authenticate(known: EdgeRequest): Promise<Principal> {
    const { request, path, tenant, clientAddress, requestId } = known;
    const isProtocol = isProtocolPath(path);
    const { authorization, cookie } = request.headers;
    if (authorization === undefined || isProtocol) {
      if (this.parts.edge) return this.parts.edge.principal(known);
      if (isProtocol) return anonymous(tenant);
      return this.parts.credentials.sessionOfCookies(sessionTextsOf(cookie), tenant);
    }
    await this.parts.edge?.requireSoundAssertion(request);
    const token = bearerHeader.exec(authorization)?.[1];
    if (token === undefined) throw new QuireError('INVALID_TOKEN', 'Authorization: send "Bearer <token>"');
    return this.parts.credentials.bearer(token, tenant, { clientAddress, requestId });
  }

  /**
   * Where the client reached the site: at the one of its hosts that it asked for, over what the installation is configured
   * to be reached. A host that is no site's counts only while nobody said where the installation is reached.
   */
  private async originOf({ headers }: IncomingMessage): Promise<string> {
    const { publicAddress, registry } = this.parts;
    const { origin, isGiven } = publicAddress;
    const { host = 'localhost' } = headers;
    const registered = await registry.registeredHost(host);
    if (registered !== undefined) return siteOrigin(registered, host, publicAddress);
    return isGiven ? origin : `${new URL(origin).protocol}//${host}`;
  }

  private refuse(request: IncomingMessage, response: ServerResponse, passage: Passage, error: unknown): void {
    if (error instanceof EdgeRefusal) {
      writeEdgeRefusal(request, response, error);
      return;
    }
    if (!(error instanceof QuireError) || error.status === 500) {
      this.parts.logger.error({ requestId: passage.requestId, err: error }, 'request failed');
    }
    if (response.headersSent) {
      response.destroy();
      return;
    }
    const known = error instanceof QuireError ? error : unexpectedError(passage.requestId);
    writeRefusal(request, response, known);
  }

  /** One line and one measurement a request. */
  private record(request: IncomingMessage, response: ServerResponse, passage: Passage): void {
    const { logger, metrics } = this.parts;
    const seconds = (performance.now() - passage.startedAt) / 1000;
    const method = request.method ?? '';
    const status = response.writableFinished ? response.statusCode : 499;
    const { principal, service = 'gateway' } = passage;
    metrics.requests.observe({ service, method, status }, seconds);
    const fields = {
      requestId: passage.requestId,
      tenant: principal?.tenant.id,
      userId: principal?.userId,
      method,
      path: request.url?.split('?', 1)[0],
      status,
      ms: Math.round(seconds * 100_000) / 100,
    };
    logger.info(fields, 'request');
  }
}
