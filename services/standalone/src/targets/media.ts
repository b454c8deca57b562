import { createServiceApp, localDoor, ServiceQuestions } from '@quire/http-server';
import {
  ActivationServices,
  doomedSweep,
  FieldTypes,
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
} from '@quire/media-service';
import type { Installation } from '../installation.js';

/** Starts the media service, and the deletion of objects that nothing needs. */
export async function startMedia(installation: Installation): Promise<void> {
  const { logger, internalKey, lifecycle, signer, environment } = installation;
  const databases = await installation.databases('media', mediaEntities);
  const registry = await installation.registry();
  const store = await installation.objectStore();
  const sweep = doomedSweep({
    databases: databases.keys.map((key) => databases.shared(key)),
    store,
    tenantDatabase: async (tenantId) => {
      const tenant = await registry.byId(tenantId);
      return tenant && databases.tenant(tenant);
    },
    logger,
  });
  sweep.start();
  lifecycle.started('doomed-sweep', () => sweep.stop());
  const objects = new MediaObjects(store, logger);
  const door = installation.door('content');
  const content = new ServiceQuestions(() => door, signer, 'media');
  const types = new FieldTypes(content);
  const news = new ItemNews(await installation.relay());
  const maximumBytes = environment.CMS_MAX_UPLOAD_BYTES;
  const usage = new UsageServices(new ReferringContent(content), logger);
  const app = await createServiceApp({
    service: 'media',
    module: MediaModule.with({
      objects,
      uploads: new UploadServices(objects, new ImageReader(), types, maximumBytes, news),
      usage,
      activation: new ActivationServices(usage, content),
      variants: new Variants(objects, new VariantMaker()),
      news,
    }),
    logger,
    internalKey,
    tenantDatabase: (tenant) => databases.tenant(tenant),
  });
  lifecycle.started('media', () => app.close());
  installation.localDoors.set('media', localDoor('media', app));
}
