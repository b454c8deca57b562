import { edgeAudience } from '@quire/config';
import {
  CredentialAuthentication,
  EdgeAccess,
  EdgeAuthentication,
  EdgeAccessPolicy,
  EdgeSessions,
  Gateway,
  GatewayModule,
  createAuthClient,
  createMcpEndpoint,
  hasApiOperations,
  LoadShedder,
  shedReasons,
  SiteRequestLimit,
  startEventLoopMonitor,
  type DocumentOptions,
} from '@quire/gateway-service';
import { createServiceApp } from '@quire/http-server';
import { inProcessUpstream, type InternalApiClient, type ServiceUpstream } from '@quire/service-client';
import { createProcessLimiter } from '@quire/rate-limit';
import type { RequestHandler } from '@quire/runtime';
import { serviceNames } from '@quire/topology';
import type { AppContainer } from '../app-container.js';
import { limitErrorCounter } from '../site-limit-errors.js';
import { version } from '../version.js';
import { documentOf, documentOptionsOf } from './openapi-document.js';
import { publicAddressOf } from './public-origin.js';

/** Services with operations of the API. */
const apiServices = serviceNames.filter(hasApiOperations);

/** Starts the public HTTP entry point. @returns the handler of the requests of the process */
export async function startGateway(container: AppContainer): Promise<RequestHandler> {
  const { logger, metrics, signer, verifier, lifecycle, environment, site } = container;
  const upstreams = new Map<string, ServiceUpstream>(
    serviceNames.map((service) => [service, container.upstream(service)]),
  );
  const publicAddress = publicAddressOf(container.environment);
  const app = await createServiceApp({
    service: 'gateway',
    module: GatewayModule.with(
      memoizeDocument(
        apiServices.map((service) => container.upstream(service)),
        documentOptionsOf(container),
      ),
    ),
    logger,
    verifier,
    tenantDatabase: () => {
      throw new Error('The gateway has no data of its own');
    },
  });
  lifecycle.onShutdown('gateway', () => app.close());
  upstreams.set('gateway', inProcessUpstream('gateway', app));
  const authClient = createAuthClient(container.upstream('auth'));
  const credentials = new CredentialAuthentication(authClient);
  const edge = createEdgeAccessPolicy(container, authClient, credentials);
  const invalidate = (tenantId?: string, userId?: string) => {
    credentials.invalidate(tenantId, userId);
    edge?.invalidate(tenantId, userId);
  };
  const relay = await container.relay();
  await relay.onInvalidate('credentials', invalidate);
  relay.onReconnect(() => invalidate());
  const gateway = new Gateway({
    registry: await container.registry(),
    credentials,
    edge,
    mcp: createMcpEndpoint({
      version,
      upstreams,
      limiter: await container.rateLimiter(),
      callLimits: {
        callsPerToken: environment.CMS_MCP_CALLS_PER_MINUTE,
        callsPerSite: environment.CMS_MCP_SITE_CALLS_PER_MINUTE,
      },
      maxUploadBytes: environment.CMS_MAX_UPLOAD_BYTES,
      allowedOrigins: environment.CMS_MCP_ALLOWED_ORIGINS,
      logger,
      metrics,
    }),
    load: createLoadShedder(container),
    siteRequests: await createSiteRequestLimit(container),
    signer,
    upstreams,
    publicAddress,
    trustedProxies: {
      headers: environment.CMS_TRUSTED_PROXY_HEADERS ?? site.trustedProxyHeaders ?? [],
      hops: environment.CMS_TRUSTED_PROXY_HOPS,
    },
    logger,
    metrics,
  });
  return (request, response) => void gateway.handle(request, response);
}

function createLoadShedder({ environment, lifecycle, metrics }: AppContainer): LoadShedder {
  const eventLoop = startEventLoopMonitor();
  lifecycle.onShutdown('event loop monitor', () => Promise.resolve(eventLoop.stop()));
  const shed = metrics.counter('quire_http_requests_shed_total');
  for (const reason of shedReasons) shed.increment({ reason }, 0);
  return new LoadShedder({
    maxRequests: environment.CMS_MAX_REQUESTS,
    eventLoopDelayMs: eventLoop.delayMs,
    onShed: (reason) => shed.increment({ reason }),
  });
}

/** Without Redis each process counts by itself: a statement for each request costs more than most requests. */
async function createSiteRequestLimit(container: AppContainer): Promise<SiteRequestLimit> {
  const { environment, logger } = container;
  const limiter =
    environment.REDIS_URL === undefined ? createProcessLimiter(logger) : await container.rateLimiter();
  return new SiteRequestLimit(limiter, limitErrorCounter(container, 'requests'));
}

/**
 * Creates the authentication of edge access mode; undefined if the site configuration names no proxy.
 * @throws ConfigurationError when the audience is not configured
 */
function createEdgeAccessPolicy(
  container: AppContainer,
  authClient: InternalApiClient,
  credentials: CredentialAuthentication,
): EdgeAccessPolicy | undefined {
  const options = container.site.auth;
  if (!options) return undefined;
  const access = new EdgeAccess(options, edgeAudience(options));
  const sessions = new EdgeSessions(credentials, authClient);
  const authentication = new EdgeAuthentication(access, options, authClient, sessions);
  return new EdgeAccessPolicy(authentication, credentials);
}

/** Merges the OpenAPI document at the first request. A failure is not cached. */
function memoizeDocument(
  upstreams: readonly ServiceUpstream[],
  options: DocumentOptions,
): () => Promise<string> {
  let document: Promise<string> | undefined;
  return () => {
    document ??= documentOf(upstreams, options);
    document.catch(() => (document = undefined));
    return document;
  };
}
