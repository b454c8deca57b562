export { isDecodable, isRaster } from './image-limits.js';
export { ImageProcesses } from './image-processes.js';
export { ImageInspector, type InspectedImage } from './image-inspector.js';
export type { ImageDetails } from './process/image-tasks.js';
export { ImageTransformer } from './image-transformer.js';
export { variantFormats, type VariantFormat, type VariantSpec } from './variant-spec.js';
