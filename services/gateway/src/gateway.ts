import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  anonymous,
  setRequestIdentity,
  gatewayIssuer,
  clientAddressHeader,
  internalTokenHeader,
  originHeader,
  requestIdHeader,
  type RequestIdentity,
  type InternalTokenSigner,
  type Principal,
} from '@quire/context';
import { notFound, QuireError, unexpectedError } from '@quire/errors';
import { sessionTokensOf, writeErrorResponse } from '@quire/http-server';
import type { ServiceUpstream } from '@quire/service-client';
import type { Logger, Metrics } from '@quire/observability';
import {
  assertNotReadOnly,
  assertNotSuspended,
  siteOrigin,
  type PublicAddress,
  type Tenant,
  type TenantRegistry,
} from '@quire/tenancy';
import { InboundTraces, traceHeader, traceIdOf } from '@quire/tracing';
import { renderErrorPage } from '@quire/ui';
import {
  checkCsrf,
  clientAddressOf,
  isSafeMethod,
  type CredentialAuthentication,
  type TrustedProxies,
} from './authentication/index.js';
import {
  assertionHeader,
  EdgeAccessError,
  writeEdgeAccessError,
  type EdgeAccessPolicy,
  type EdgeRequest,
} from './edge-access/index.js';
import type { LoadShedder, SiteRequestLimit } from './load-shedding/index.js';
import { mcpPath, type McpEndpoint } from './mcp/index.js';
import { forwardedCookies } from './routing/forwarded-cookies.js';
import { beginRecord, endRecord, type RequestRecord } from './request-record.js';
import { routeOf } from './routing/router.js';

export interface GatewayDeps {
  registry: TenantRegistry;
  credentials: CredentialAuthentication;
  /** Present if an edge access proxy signs users in. */
  edge?: EdgeAccessPolicy | undefined;
  mcp: McpEndpoint;
  load: LoadShedder;
  siteRequests: SiteRequestLimit;
  signer: InternalTokenSigner;
  /** Every service by name, including the gateway's own application. */
  upstreams: ReadonlyMap<string, ServiceUpstream>;
  /** Address of the installation, for hosts that are not registered. */
  publicAddress: PublicAddress;
  trustedProxies: TrustedProxies;
  logger: Logger;
  metrics: Metrics;
}

const firstErrorStatus = 400;
const bearerHeader = /^bearer +(\S+)$/i;
/** A year, without includeSubDomains: hosts below the domain may belong to other operators. */
const strictTransportSecurity = 'max-age=31536000';

function isMcpPath(path: string): boolean {
  return path === mcpPath || path === `${mcpPath}/`;
}

/**
 * The public HTTP entry point (design 3): resolves the tenant, authenticates, rejects forged requests, and forwards the
 * raw request with its identity attached. It reads no body and has no knowledge of entries.
 */
export class Gateway {
  private inFlight = 0;
  private readonly inboundTraces = new InboundTraces();

  constructor(private readonly deps: GatewayDeps) {
    deps.metrics.startRecordingRequests();
    deps.metrics.gauge('quire_http_requests_in_flight', {}, () => this.inFlight);
  }

  /** Handles a request. Never rejects. */
  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const record = beginRecord(request, this.inboundTraces);
    response.setHeader(requestIdHeader, record.requestId);
    if (this.deps.publicAddress.origin.startsWith('https:'))
      response.setHeader('strict-transport-security', strictTransportSecurity);
    this.inFlight += 1;
    response.once('close', () => {
      this.inFlight -= 1;
      endRecord(record, request, response, this.deps);
    });
    try {
      await this.route(request, response, record);
    } catch (error) {
      this.sendError(request, response, record, error);
    }
  }

  private async route(
    request: IncomingMessage,
    response: ServerResponse,
    record: RequestRecord,
  ): Promise<void> {
    const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
    const tenant = await this.deps.registry.byHost(request.headers.host ?? '');
    if (tenant) {
      record.tenant = tenant;
      response.once('close', this.deps.load.admit(tenant.id));
      await assertNotSuspended(this.deps.registry, tenant.id);
      await this.deps.siteRequests.consume(tenant);
    }
    if (tenant && isMcpPath(path)) return this.serveMcp(request, response, { tenant, record });
    const route = routeOf(path);
    if (!tenant || !route) throw notFound(tenant ? 'path' : 'site');
    this.deps.edge?.assertAvailable(route);
    const { service } = route;
    record.service = service;
    const origin = await this.originOf(request);
    const { method = 'GET' } = request;
    checkCsrf({
      method,
      rule: route.csrf,
      headers: request.headers,
      isProxyAuthenticated: this.deps.edge !== undefined && request.headers[assertionHeader] !== undefined,
      ownOrigins: [origin, `${new URL(origin).protocol}//${request.headers.host}`],
    });
    const clientAddress = clientAddressOf(request, this.deps.trustedProxies);
    const { requestId, trace } = record;
    const known = { request, response, route, tenant, requestId, clientAddress, origin, trace };
    const principal = await this.authenticate(known);
    record.principal = principal;
    if (!route.availableDuringImport && !isSafeMethod(method))
      await assertNotReadOnly(this.deps.registry, tenant.id);
    const upstream = this.deps.upstreams.get(service);
    if (!upstream)
      throw new QuireError('SERVICE_UNAVAILABLE', `The ${service} service is not part of this installation`);
    this.forward(upstream, known, { principal, requestId, clientAddress, origin, trace });
  }

  /** The MCP server accepts Bearer tokens only: cookies and the assertion of a proxy do not authenticate it. */
  private async serveMcp(
    request: IncomingMessage,
    response: ServerResponse,
    { tenant, record }: { tenant: Tenant; record: RequestRecord },
  ): Promise<void> {
    record.service = 'mcp';
    const { requestId, trace } = record;
    const { authorization } = request.headers;
    const clientAddress = clientAddressOf(request, this.deps.trustedProxies);
    const origin = await this.originOf(request);
    if (authorization !== undefined) await this.deps.edge?.verifyAssertionIfPresent(request);
    const identityOf = (principal: Principal) => ({ principal, requestId, clientAddress, origin, trace });
    await this.deps.mcp.handle({
      request,
      response,
      origin,
      authenticate: async () => {
        if (authorization === undefined) throw new QuireError('NOT_AUTHENTICATED', 'Not authenticated');
        const principal = await this.bearer(authorization, { tenant, clientAddress, requestId, trace });
        record.principal = principal;
        // The rest of a rejected body is read only for known callers.
        setRequestIdentity(request, identityOf(principal));
        return principal;
      },
      identityOf,
    });
  }

  private bearer(
    authorization: string,
    { tenant, ...requestOrigin }: Pick<EdgeRequest, 'tenant' | 'clientAddress' | 'requestId' | 'trace'>,
  ): Promise<Principal> {
    const token = bearerHeader.exec(authorization)?.[1];
    if (token === undefined) throw new QuireError('INVALID_TOKEN', 'Authorization: send "Bearer <token>"');
    return this.deps.credentials.bearer(token, tenant, requestOrigin);
  }

  private forward(
    upstream: ServiceUpstream,
    { request, response, route }: EdgeRequest,
    identity: RequestIdentity,
  ): void {
    setRequestIdentity(request, identity);
    if (upstream.isLocal) {
      if (this.deps.edge) delete request.headers[assertionHeader];
      delete request.headers[internalTokenHeader];
      delete request.headers[clientAddressHeader];
      delete request.headers[originHeader];
      upstream.handle(request, response, {});
      return;
    }
    const [path = ''] = (request.url ?? '/').split('?', 1);
    const binding = { service: upstream.service, method: request.method ?? 'GET', path };
    const headers = {
      [internalTokenHeader]: this.deps.signer.sign(gatewayIssuer, identity.principal, binding),
      [requestIdHeader]: identity.requestId,
      [clientAddressHeader]: identity.clientAddress ?? undefined,
      [originHeader]: identity.origin ?? undefined,
      [traceHeader]: identity.trace,
      authorization: undefined,
      ...(this.deps.edge ? { [assertionHeader]: undefined } : {}),
      cookie: forwardedCookies(route.cookies, request.headers.cookie),
    };
    const { timeoutSeconds } = route;
    upstream.handle(request, response, {
      headers,
      timeoutSeconds,
      onResponse: this.invalidationAfterWrite(upstream.service, request, identity.principal),
    });
  }

  /**
   * The message of an auth process about a revoked credential may arrive after its response. A user who has signed out,
   * or ended a session, finds it ended by the next request.
   */
  private invalidationAfterWrite(
    service: string,
    { method = 'GET' }: IncomingMessage,
    { tenant, userId }: Principal,
  ): ((status: number) => void) | undefined {
    if (service !== 'auth' || userId === null || isSafeMethod(method)) return undefined;
    return (status) => {
      if (status < firstErrorStatus) this.deps.credentials.invalidate(tenant.id, userId);
    };
  }

  /** A Bearer header takes precedence over a session cookie, even if its token is invalid (contract 4). */
  private async authenticate(known: EdgeRequest): Promise<Principal> {
    const { request, route, tenant, clientAddress, requestId, trace } = known;
    const { authorization, cookie } = request.headers;
    if (authorization === undefined || route.ignoresCredentials) {
      if (this.deps.edge) return this.deps.edge.principal(known);
      if (route.ignoresCredentials) return anonymous(tenant);
      return this.deps.credentials.sessionOfCookies(sessionTokensOf(cookie), tenant, trace);
    }
    await this.deps.edge?.verifyAssertionIfPresent(request);
    return this.bearer(authorization, { tenant, clientAddress, requestId, trace });
  }

  /**
   * Returns the origin at which the client reached the site: the requested host if it is registered, with the scheme of
   * the installation's public address. Another host is used only if no public address is configured.
   */
  private async originOf({ headers }: IncomingMessage): Promise<string> {
    const { publicAddress, registry } = this.deps;
    const { origin, isGiven } = publicAddress;
    const { host = 'localhost' } = headers;
    const registered = await registry.registeredHost(host);
    if (registered !== undefined) return siteOrigin(registered, host, publicAddress);
    return isGiven ? origin : `${new URL(origin).protocol}//${host}`;
  }

  private sendError(
    request: IncomingMessage,
    response: ServerResponse,
    record: RequestRecord,
    error: unknown,
  ): void {
    if (error instanceof EdgeAccessError) {
      writeEdgeAccessError(request, response, error);
      return;
    }
    if (!(error instanceof QuireError) || error.status === 500) {
      this.deps.logger.error(
        {
          requestId: record.requestId,
          traceId: traceIdOf(record.trace),
          tenant: record.tenant?.id,
          err: error,
        },
        'request failed',
      );
    }
    if (response.headersSent) {
      response.destroy();
      return;
    }
    const known = error instanceof QuireError ? error : unexpectedError(record.requestId);
    writeErrorResponse(request, response, known, renderErrorPage);
  }
}
