import { createServiceApp, localDoor } from '@quire/http-server';
import { DoomedSweep, mediaEntities, MediaModule, MediaObjects } from '@quire/media-service';
import type { Installation } from '../installation.js';

/** Starts the media service, and the deletion of objects that nothing needs. */
export async function startMedia(installation: Installation): Promise<void> {
  const { logger, internalKey, lifecycle } = installation;
  const databases = await installation.databases('media', mediaEntities);
  const registry = await installation.registry();
  const store = await installation.objectStore();
  const sweep = new DoomedSweep({
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
  const app = await createServiceApp({
    service: 'media',
    module: MediaModule.with({ objects: new MediaObjects(store, logger) }),
    logger,
    internalKey,
    tenantDatabase: (tenant) => databases.tenant(tenant),
  });
  lifecycle.started('media', () => app.close());
  installation.localDoors.set('media', localDoor('media', app));
}
