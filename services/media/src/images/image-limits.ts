/**
 * How many images are decoded at once. Node has four threads for such work and for files: with one for placeholders and two for
 * variants, one is left.
 */
export const placeholdersAtOnce = 1;
export const variantsAtOnce = 2;

/** Larger files are not read as a whole. */
export const maximumBytes = 32 * 1024 * 1024;
/** Images of more pixels are not decoded: a small file may hold any number of them. */
export const maximumPixels = 50_000_000;
/** Of an animation, all pictures together, which are all in memory at once. */
export const maximumMovingPixels = 25_000_000;
export const maximumPictures = 500;

/** Raster images; an SVG is a program, and what it draws is nobody's business here. */
const rasterTypes = new Set([
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/avif',
  'image/tiff',
]);

/** Whether files of this type are images that can be decoded. */
export function isRaster(mimeType: string): boolean {
  return rasterTypes.has(mimeType);
}
