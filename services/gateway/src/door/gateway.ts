import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  anonymous,
  attachHandoff,
  clientAddressHeader,
  internalTokenHeader,
  originHeader,
  requestIdHeader,
  type Handoff,
  type InternalTokenSigner,
  type Principal,
} from '@quire/context';
import { notFound, QuireError, unexpectedError } from '@quire/errors';
import { apiPrefix, serviceOfPath, writeRefusal, type ServiceDoor } from '@quire/http-server';
import type { Logger, Metrics } from '@quire/observability';
import type { Tenant, TenantRegistry } from '@quire/tenancy';
import { sessionIdOf, type CredentialAuthentication } from '../authentication/index.js';
import { clientAddressOf } from './client-address.js';
import { checkCsrf } from './csrf.js';

export interface GatewayParts {
  registry: TenantRegistry;
  credentials: CredentialAuthentication;
  signer: InternalTokenSigner;
  /** Every service by name, the gateway's own application among them. */
  doors: ReadonlyMap<string, ServiceDoor>;
  publicOrigin: string;
  /** Lower-case names of the headers in which a proxy of the operator tells the client's address, best first. */
  trustedProxyHeaders: readonly string[];
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
    passage.service = service;
    checkCsrf({
      method: request.method ?? 'GET',
      path,
      headers: request.headers,
      ownOrigins: this.ownOrigins(request),
    });
    const principal = await this.authenticate(request, tenant);
    passage.principal = principal;
    const door = this.parts.doors.get(service);
    if (!door)
      throw new QuireError('SERVICE_UNAVAILABLE', `The ${service} service is not part of this installation`);
    this.handOn(door, request, response, {
      principal,
      requestId: passage.requestId,
      clientAddress: clientAddressOf(request.headers, this.parts.trustedProxyHeaders),
      origin: this.originOf(request),
    });
  }

  private handOn(
    door: ServiceDoor,
    request: IncomingMessage,
    response: ServerResponse,
    handoff: Handoff,
  ): void {
    if (door.isLocal) {
      delete request.headers[internalTokenHeader];
      delete request.headers[clientAddressHeader];
      delete request.headers[originHeader];
      attachHandoff(request, handoff);
      door.handle(request, response, {});
      return;
    }
    door.handle(request, response, {
      [internalTokenHeader]: this.parts.signer.sign(handoff.principal),
      [requestIdHeader]: handoff.requestId,
      [clientAddressHeader]: handoff.clientAddress ?? undefined,
      [originHeader]: handoff.origin,
      authorization: undefined,
      // Those who keep sessions alone need cookies.
      ...(door.service === 'auth' ? {} : { cookie: undefined }),
    });
  }

  /** A Bearer header wins over a session cookie, and a bad one is not helped by it (contract 4). */
  private async authenticate(request: IncomingMessage, tenant: Tenant): Promise<Principal> {
    const { authorization, cookie } = request.headers;
    if (authorization === undefined) {
      const sessionId = sessionIdOf(cookie);
      return sessionId === undefined ? anonymous(tenant) : this.parts.credentials.session(sessionId, tenant);
    }
    const token = bearerHeader.exec(authorization)?.[1];
    if (token === undefined) throw new QuireError('INVALID_TOKEN', 'Authorization: send "Bearer <token>"');
    return this.parts.credentials.bearer(token, tenant);
  }

  /** Where the client reached the site: by the host it asked for, over what the installation is configured to be reached. */
  private originOf({ headers }: IncomingMessage): string {
    return `${new URL(this.parts.publicOrigin).protocol}//${headers.host ?? 'localhost'}`;
  }

  private ownOrigins({ headers }: IncomingMessage): string[] {
    return [this.parts.publicOrigin, `http://${headers.host}`, `https://${headers.host}`];
  }

  private refuse(request: IncomingMessage, response: ServerResponse, passage: Passage, error: unknown): void {
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
