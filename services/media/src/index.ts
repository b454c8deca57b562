export { mediaEntities } from './media.entities.js';
export { MediaModule, type MediaParts } from './media.module.js';
export { mediaTables } from './media.tables.js';
export { DoomedSweep, MediaObjects } from './objects/index.js';
