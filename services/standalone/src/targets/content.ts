import {
  ContentModule,
  contentEntities,
  Definitions,
  Locales,
  MediaDirectory,
  PreviewLinks,
  SiteTraffic,
  UserDirectory,
  WriteFences,
} from '@quire/content-service';
import { createServiceApp, localDoor, ServiceQuestions } from '@quire/http-server';
import type { Installation } from '../installation.js';
import { startDispatcher } from './dispatcher.js';

/** Starts the content service. */
export async function startContent(installation: Installation): Promise<void> {
  const { logger, internalKey, internalSecret, lifecycle, signer, site, environment } = installation;
  const databases = await installation.databases('content', contentEntities);
  const relay = await installation.relay();
  const definitions = new Definitions();
  await relay.onDrop('schema', (tenantId) => definitions.drop(tenantId));
  const fences = new WriteFences(relay);
  await relay.onDrop('write-fence', (tenantId) => fences.drop(tenantId));
  // Media starts after content and asks it, so content looks for media when it needs it, and serves without it.
  const door = () => installation.door('media', { isNeeded: false });
  const media = new MediaDirectory(new ServiceQuestions(door, signer, 'content'));
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
      users: new UserDirectory(new ServiceQuestions(() => auth, signer, 'content')),
      dispatcher: await startDispatcher(installation, databases),
      traffic,
      limiter: await installation.rateLimiter(),
      media,
      previews: new PreviewLinks(internalSecret, environment.CMS_PREVIEW_PATH_PATTERN),
    }),
    logger,
    internalKey,
    tenantDatabase: (tenant) => databases.tenant(tenant),
  });
  lifecycle.started('content', () => app.close());
  installation.localDoors.set('content', localDoor('content', app));
}
