import type { Environment } from '@quire/config';
import type { Secrets } from '@quire/context';
import {
  Captcha,
  CommenterCookie,
  ContentModule,
  contentTags,
  Dashboard,
  Definitions,
  EntryLimit,
  SiteLocales,
  MediaClient,
  PreviewLinks,
  VisitRecorder,
  AuthClient,
  ReadOnlyMode,
  ResponseCache,
} from '@quire/content-service';
import { createServiceApp, RegistryWriteGuard } from '@quire/http-server';
import { inProcessUpstream, InternalApiClient } from '@quire/service-client';
import { limitedFetch } from '@quire/outgoing-http';
import type { ServiceDatabases } from '@quire/tenancy';
import type { AppContainer } from '../app-container.js';
import { limitErrorCounter } from '../site-limit-errors.js';
import { version } from '../version.js';
import { startDispatcher } from './dispatcher.js';

/** Limits of the request to the captcha verifier, for which the commenter waits. */
const captchaLimits = { timeoutMs: 5_000, maxBytes: 64 * 1024 };

/** Starts the content service. */
export async function startContent(container: AppContainer, databases: ServiceDatabases): Promise<void> {
  const { logger, verifier, internalSecrets, lifecycle, site, environment } = container;
  const relay = await container.relay();
  const definitions = new Definitions();
  await relay.onInvalidate('schema', (tenantId) => definitions.invalidate(tenantId));
  const readOnlyMode = new ReadOnlyMode(relay);
  await relay.onInvalidate('write-fence', (tenantId) => readOnlyMode.invalidate(tenantId));
  // Media starts after content and calls it. So content resolves media at the first call, and serves without it.
  const upstream = () => container.upstream('media');
  const media = new MediaClient(new InternalApiClient({ upstream, caller: 'content' }));
  await relay.onInvalidate('media', (tenantId, id) => media.invalidate(tenantId, id));
  relay.onReconnect(() => {
    definitions.invalidate();
    readOnlyMode.invalidate();
    media.invalidate();
  });
  const visitRecorder = new VisitRecorder(logger);
  visitRecorder.start();
  // Stops after the application, which starts later, so that visits of its last requests are written.
  lifecycle.onShutdown('visit-recorder', () => visitRecorder.stop());
  const auth = container.upstream('auth');
  const app = await createServiceApp({
    service: 'content',
    tags: contentTags,
    module: ContentModule.with({
      definitions,
      readOnlyMode,
      importGuard: new RegistryWriteGuard(await container.registry()),
      relay,
      locales: new SiteLocales(site),
      users: new AuthClient(new InternalApiClient({ upstream: () => auth, caller: 'content' })),
      dispatcher: await startDispatcher(container, databases),
      visitRecorder,
      limiter: await container.rateLimiter(),
      captcha: captchaOf(environment),
      commenters: new CommenterCookie(internalSecrets),
      dashboard: new Dashboard(({ database }) => databases.shared(database)),
      responses: responseCacheOf(container),
      version,
      maxUploadBytes: environment.CMS_MAX_UPLOAD_BYTES,
      media,
      previews: previewLinksOf(environment, internalSecrets),
      entryLimit: new EntryLimit(limitErrorCounter(container, 'entries')),
    }),
    logger,
    verifier,
    tenantDatabase: (tenant, trace) => databases.tenant(tenant, trace),
  });
  lifecycle.onShutdown('content', () => app.close());
  container.upstreams.set('content', inProcessUpstream('content', app));
}

function responseCacheOf({ environment, metrics }: AppContainer): ResponseCache {
  const reads = metrics.counter('quire_content_response_cache_reads_total');
  const maxBytes = environment.CMS_RESPONSE_CACHE_MB * 1024 * 1024;
  const cache = new ResponseCache(maxBytes, (result) => reads.increment({ result }));
  metrics.gauge('quire_content_response_cache_bytes', {}, () => cache.bytes);
  return cache;
}

function previewLinksOf(
  { CMS_PREVIEW_SECRET, CMS_PREVIEW_PATH_PATTERN, CMS_PREVIEW_MAX_DAYS }: Environment,
  [internalSecret]: Secrets,
): PreviewLinks {
  const secret = CMS_PREVIEW_SECRET ?? internalSecret;
  return new PreviewLinks(secret, CMS_PREVIEW_PATH_PATTERN, CMS_PREVIEW_MAX_DAYS * 86_400);
}

function captchaOf({ CMS_TURNSTILE_SECRET: secret, CMS_TURNSTILE_URL: url }: Environment): Captcha {
  return new Captcha(secret === undefined ? undefined : { secret, url, fetch: limitedFetch(captchaLimits) });
}
