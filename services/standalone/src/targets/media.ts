import { createServiceApp, localDoor, ServiceQuestions } from '@quire/http-server';
import { expiredKeysSweep } from '@quire/idempotency';
import {
  ActivationServices,
  doomedSweep,
  FieldTypes,
  ImageProcesses,
  ImageReader,
  ItemNews,
  mediaEntities,
  MediaModule,
  MediaObjects,
  ReferringContent,
  UploadServices,
  UsageServices,
  VariantMaker,
  Variants,
  VariantSignatures,
} from '@quire/media-service';
import type { Installation } from '../installation.js';
import { startDispatcher } from './dispatcher.js';

/** Starts the media service, and the deletion of objects that nothing needs. */
export async function startMedia(installation: Installation): Promise<void> {
  const { logger, verifier, internalSecret, lifecycle, environment } = installation;
  const databases = await installation.databases('media', mediaEntities);
  const registry = await installation.registry();
  const store = await installation.objectStore();
  const shared = databases.keys.map((key) => databases.shared(key));
  const sweep = doomedSweep({
    databases: shared,
    store,
    tenantDatabase: async (tenantId) => {
      const tenant = await registry.byId(tenantId);
      return tenant && databases.tenant(tenant);
    },
    logger,
  });
  sweep.start();
  lifecycle.started('doomed-sweep', () => sweep.stop());
  await startDispatcher(installation, databases);
  const expiredKeys = expiredKeysSweep('media', { databases: shared, logger });
  expiredKeys.start(0);
  lifecycle.started('expired-keys-sweep', () => expiredKeys.stop());
  const objects = new MediaObjects(store, logger);
  const door = installation.door('content');
  const content = new ServiceQuestions(() => door, 'media');
  const types = new FieldTypes(content);
  const news = new ItemNews(await installation.relay());
  const maximumBytes = environment.CMS_MAX_UPLOAD_BYTES;
  const images = new ImageProcesses(logger);
  lifecycle.started('image-processes', () => images.close());
  const usage = new UsageServices(new ReferringContent(content), logger);
  const app = await createServiceApp({
    service: 'media',
    module: MediaModule.with({
      objects,
      uploads: new UploadServices(objects, new ImageReader(images), types, maximumBytes, news),
      usage,
      activation: new ActivationServices(usage, content),
      variants: new Variants({
        objects,
        maker: new VariantMaker(images),
        limiter: await installation.rateLimiter(),
        maxBytes: environment.CMS_MAX_VARIANT_BYTES,
      }),
      signatures: new VariantSignatures(internalSecret),
      news,
    }),
    logger,
    verifier,
    tenantDatabase: (tenant) => databases.tenant(tenant),
  });
  lifecycle.started('media', () => app.close());
  installation.localDoors.set('media', localDoor('media', app));
}
