import { encode } from 'blurhash';
import { maxPixels } from '../image-limits.js';
import { sharp } from './decoders.js';
import { dominantColorOf } from './dominant-color.js';
import type { Dimensions, Placeholder } from './image-tasks.js';

/** More pixels change neither value visibly; the time for a BlurHash grows with them. */
const sampleSide = 16;
const blurhashComponents = { x: 4, y: 3 };
/** From this EXIF orientation on, an image is stored rotated by 90 degrees. */
const firstRotatedOrientation = 5;

/** Reads the dimensions of the upright image; null if the head does not have them. */
export async function readDimensions(file: Buffer): Promise<Dimensions> {
  try {
    // Only the head of the file is read, so the number of pixels needs no limit.
    const { autoOrient, orientation = 1 } = await sharp(file, { limitInputPixels: false }).metadata();
    return { ...autoOrient, isRotated: orientation >= firstRotatedOrientation };
  } catch {
    return { width: null, height: null, isRotated: false };
  }
}

/** Computes the placeholder of an image; null if it cannot be decoded. */
export async function readPlaceholder(file: Buffer): Promise<Placeholder> {
  try {
    const { data, info } = await sharp(file, { limitInputPixels: maxPixels, failOn: 'error' })
      .autoOrient()
      .resize(sampleSide, sampleSide, { fit: 'inside' })
      .flatten({ background: '#ffffff' })
      .toColourspace('srgb')
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    const blurhash = encode(
      new Uint8ClampedArray(data),
      info.width,
      info.height,
      blurhashComponents.x,
      blurhashComponents.y,
    );
    return { blurhash, dominantColor: dominantColorOf(data) };
  } catch {
    return { blurhash: null, dominantColor: null };
  }
}
