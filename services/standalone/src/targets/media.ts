import { createServiceApp, RegistryWriteGuard } from '@quire/http-server';
import { uploadLimitsOf } from '@quire/mcp-tools';
import { inProcessUpstream, InternalApiClient } from '@quire/service-client';
import { expiredKeysSweep } from '@quire/idempotency';
import {
  ActivationService,
  objectDeletionRunner,
  FieldTypes,
  ImageProcesses,
  ImageInspector,
  MediaChangeNotifier,
  mediaTags,
  MediaModule,
  MediaObjects,
  StorageQuota,
  ContentReferencesClient,
  UploadDeps,
  UsageDeps,
  ImageTransformer,
  Variants,
  VariantSignatures,
} from '@quire/media-service';
import type { ServiceDatabases } from '@quire/tenancy';
import type { AppContainer } from '../app-container.js';
import { limitErrorCounter } from '../site-limit-errors.js';
import { startDispatcher } from './dispatcher.js';
import { startSweep } from './sweeps.js';

/** Starts the media service, and the deletion of unused objects. */
export async function startMedia(container: AppContainer, databases: ServiceDatabases): Promise<void> {
  const { logger, verifier, internalSecrets, lifecycle, environment } = container;
  const registry = await container.registry();
  const store = await container.objectStore();
  const shared = databases.keys.map((key) => databases.shared(key));
  const sweep = objectDeletionRunner({
    databases: shared,
    store,
    tenantDatabase: async (tenantId) => {
      const tenant = await registry.byId(tenantId);
      return tenant && databases.tenant(tenant);
    },
    logger,
  });
  startSweep(container, 'object_deletions', sweep);
  await startDispatcher(container, databases);
  const expiredKeys = expiredKeysSweep('media', { databases: shared, logger });
  startSweep(container, 'media_idempotency_keys', expiredKeys);
  const objects = new MediaObjects(store, logger);
  const upstream = container.upstream('content');
  const content = new InternalApiClient({ upstream: () => upstream, caller: 'media' });
  const types = new FieldTypes(content);
  const notifier = new MediaChangeNotifier(await container.relay());
  const maxBytes = environment.CMS_MAX_UPLOAD_BYTES;
  const images = new ImageProcesses(logger);
  lifecycle.onShutdown('image-processes', () => images.close());
  const usage = new UsageDeps(new ContentReferencesClient(content), logger);
  const app = await createServiceApp({
    service: 'media',
    tags: mediaTags,
    module: MediaModule.with({
      objects,
      maxToolArgumentsBytes: uploadLimitsOf(maxBytes).maxCallBytes,
      uploads: new UploadDeps(
        objects,
        new ImageInspector(images),
        types,
        maxBytes,
        notifier,
        new StorageQuota(limitErrorCounter(container, 'media-bytes')),
      ),
      usage,
      activation: new ActivationService(usage, content),
      variants: new Variants({
        objects,
        transformer: new ImageTransformer(images),
        limiter: await container.rateLimiter(),
        maxBytes: environment.CMS_MAX_VARIANT_BYTES,
      }),
      signatures: new VariantSignatures(internalSecrets),
      notifier,
      importGuard: new RegistryWriteGuard(registry),
    }),
    logger,
    verifier,
    tenantDatabase: (tenant, trace) => databases.tenant(tenant, trace),
  });
  lifecycle.onShutdown('media', () => app.close());
  container.upstreams.set('media', inProcessUpstream('media', app));
}
