export { MediaChangeNotifier } from './items/index.js';
export { mediaEntities, MediaModule, type MediaDeps } from './media.module.js';
export { mediaTables } from './migrations/index.js';
export { ImageProcesses, ImageInspector, ImageTransformer } from './images/index.js';
export { FieldTypes } from './types/index.js';
export { selectMediaUse, StorageQuota, UploadDeps } from './uploads/index.js';
export {
  ActivationService,
  syncCollection,
  deleteCollectionUsage,
  indexChangedEntry,
  ContentReferencesClient,
  UsageDeps,
  usageRunners,
  usageDeletions,
  usageRebuilds,
  usageWork,
} from './usage/index.js';
export { imageKey, Variants, VariantSignatures } from './variants/index.js';
export { objectDeletionRunner, objectDeletions, MediaObjects } from './objects/index.js';
export { reconcileMedia } from './reconciliation/index.js';
export { mediaTags } from './tags.js';
