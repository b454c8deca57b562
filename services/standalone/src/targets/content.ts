import type { Environment } from '@quire/config';
import {
  Captcha,
  CommenterCookie,
  ContentModule,
  contentEntities,
  Dashboard,
  Definitions,
  Locales,
  MediaDirectory,
  PreviewLinks,
  SiteTraffic,
  UserDirectory,
  WriteFences,
} from '@quire/content-service';
import { createServiceApp, localDoor, ServiceQuestions } from '@quire/http-server';
import { boundedFetch } from '@quire/login-providers';
import type { Installation } from '../installation.js';
import { apiVersion } from './api-version.js';
import { startDispatcher } from './dispatcher.js';

/** What a commenter waits for at most, and how much of the verifier's answer is read. */
const captchaBounds = { milliseconds: 5_000, bytes: 64 * 1024 };

/** Starts the content service. */
export async function startContent(installation: Installation): Promise<void> {
  const { logger, verifier, internalSecret, lifecycle, site, environment } = installation;
  const databases = await installation.databases('content', contentEntities);
  const relay = await installation.relay();
  const definitions = new Definitions();
  await relay.onDrop('schema', (tenantId) => definitions.drop(tenantId));
  const fences = new WriteFences(relay);
  await relay.onDrop('write-fence', (tenantId) => fences.drop(tenantId));
  // Media starts after content and asks it, so content looks for media when it needs it, and serves without it.
  const door = () => installation.door('media', { isNeeded: false });
  const media = new MediaDirectory(new ServiceQuestions(door, 'content'));
  await relay.onDrop('media', (tenantId, id) => media.drop(tenantId, id));
  relay.onGap(() => {
    definitions.drop();
    fences.drop();
    media.drop();
  });
  const traffic = new SiteTraffic(logger);
  traffic.start();
  // Stopped after the application, which is started later: what its last requests leave behind is written too.
  lifecycle.started('site-traffic', () => traffic.stop());
  const auth = installation.door('auth');
  const app = await createServiceApp({
    service: 'content',
    module: ContentModule.with({
      definitions,
      fences,
      relay,
      locales: new Locales(site),
      users: new UserDirectory(new ServiceQuestions(() => auth, 'content')),
      dispatcher: await startDispatcher(installation, databases),
      traffic,
      limiter: await installation.rateLimiter(),
      captcha: captchaOf(environment),
      commenters: new CommenterCookie(internalSecret),
      dashboard: new Dashboard(({ database }) => databases.shared(database)),
      version: apiVersion,
      media,
      previews: previewLinksOf(environment, internalSecret),
    }),
    logger,
    verifier,
    tenantDatabase: (tenant) => databases.tenant(tenant),
  });
  lifecycle.started('content', () => app.close());
  installation.localDoors.set('content', localDoor('content', app));
}

function previewLinksOf(
  { CMS_PREVIEW_PATH_PATTERN, CMS_PREVIEW_MAX_DAYS }: Environment,
  secret: string,
): PreviewLinks {
  return new PreviewLinks(secret, CMS_PREVIEW_PATH_PATTERN, CMS_PREVIEW_MAX_DAYS * 86_400);
}

function captchaOf({ CMS_TURNSTILE_SECRET: secret, CMS_TURNSTILE_URL: url }: Environment): Captcha {
  return new Captcha(secret === undefined ? undefined : { secret, url, fetch: boundedFetch(captchaBounds) });
}
