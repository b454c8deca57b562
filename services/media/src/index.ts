export { ItemNews } from './items/index.js';
export { mediaEntities } from './media.entities.js';
export { MediaModule, type MediaParts } from './media.module.js';
export { mediaTables } from './media.tables.js';
export { ImageProcesses, ImageReader, VariantMaker } from './images/index.js';
export { FieldTypes } from './types/index.js';
export { UploadServices } from './uploads/index.js';
export {
  ActivationServices,
  followCollection,
  forgetCollection,
  indexChangedEntry,
  ReferringContent,
  UsageServices,
  usageSweeps,
} from './usage/index.js';
export { imageKey, Variants, VariantSignatures } from './variants/index.js';
export { doomedSweep, MediaObjects } from './objects/index.js';
