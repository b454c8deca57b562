export { isRaster } from './image-limits.js';
export { ImageReader, type ImageDetails, type ReadImage } from './image-reader.js';
export { VariantMaker } from './variant-maker.js';
export { variantFormats, type VariantFormat, type VariantLook } from './variant-look.js';
