export { isDecodable, isRaster } from './image-limits.js';
export { ImageProcesses } from './image-processes.js';
export { ImageReader, type ReadImage } from './image-reader.js';
export type { ImageDetails } from './process/image-tasks.js';
export { VariantMaker } from './variant-maker.js';
export { variantFormats, type VariantFormat, type VariantLook } from './variant-look.js';
