import { QuireError } from '@quire/errors';
import sharp, { type Sharp } from 'sharp';
import { AtMost } from './at-most.js';
import {
  isRaster,
  maximumBytes,
  maximumMovingPixels,
  maximumPictures,
  maximumPixels,
  variantsAtOnce,
} from './image-limits.js';
import type { ImageSource } from './image-reader.js';
import type { VariantLook } from './variant-look.js';

/** So many may wait; more are told to come again, so that what waits stays bounded. */
const mostWaiting = 200;
const maximumSeconds = 30;
const retryAfterSeconds = 5;
/** Of 0 to 9: a third of the time that the usual 4 takes, for files a few per cent larger. */
const avifEffort = 2;

/** Makes smaller or differently encoded images: few at once, bounded, and in threads of their own. */
export class VariantMaker {
  private readonly turns = new AtMost(variantsAtOnce);

  /**
   * Makes an image as people see it: turned as its metadata says, without that metadata. An animation stays one as a WebP, unless it
   * has too many pictures or pixels; else its first picture is taken.
   * @returns undefined for what is no raster image, cannot be decoded, or has too many bytes or pixels
   * @throws QuireError SERVICE_UNAVAILABLE when too many wait, or the machine is too busy; what `open` throws.
   */
  async make({ mimeType, size, open }: ImageSource, look: VariantLook): Promise<Buffer | undefined> {
    if (!isRaster(mimeType) || size > maximumBytes) return undefined;
    if (this.turns.waiting >= mostWaiting) throw busy();
    return this.turns.run(async () => {
      const bytes = await open();
      return bytes && render(Buffer.concat(await bytes.toArray()), look);
    });
  }
}

async function render(file: Buffer, look: VariantLook): Promise<Buffer | undefined> {
  try {
    const isMoving = look.format === 'webp' && (await canMove(file));
    const image = sharp(file, {
      animated: isMoving,
      limitInputPixels: isMoving ? maximumMovingPixels : maximumPixels,
      failOn: 'error',
    }).timeout({ seconds: maximumSeconds });
    const upright = isMoving ? image : image.autoOrient();
    return await encoded(upright.resize({ width: look.width, withoutEnlargement: true }), look).toBuffer();
  } catch (error) {
    if (/timeout/i.test((error as Error).message)) throw busy();
    return undefined;
  }
}

/** Whether a file is an animation that may be decoded as a whole; only its head is read for that. */
async function canMove(file: Buffer): Promise<boolean> {
  const { width, height, pages = 1 } = await sharp(file, { limitInputPixels: false }).metadata();
  return pages > 1 && pages <= maximumPictures && width * height * pages <= maximumMovingPixels;
}

function encoded(image: Sharp, { format, quality }: VariantLook): Sharp {
  switch (format) {
    case 'jpeg':
      return image.flatten({ background: '#ffffff' }).jpeg({ quality });
    case 'png':
      return image.png();
    case 'avif':
      return image.avif({ quality, effort: avifEffort });
    case 'webp':
      return image.webp({ quality });
  }
}

function busy(): QuireError {
  return new QuireError('SERVICE_UNAVAILABLE', 'Too many images are made just now; try again shortly', {
    retryAfterSeconds,
  });
}
