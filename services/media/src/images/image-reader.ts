import type { Readable } from 'node:stream';
import type { ByteRange } from '@quire/object-store';
import { encode } from 'blurhash';
import sharp from 'sharp';
import { AtMost } from './at-most.js';
import { isRaster, maximumBytes, maximumPixels, placeholdersAtOnce } from './image-limits.js';

const maximumSeconds = 10;
/** Of a file that is not read as a whole. */
const headBytes = 512 * 1024;
const sampleSide = 32;
const blurhashParts = { x: 4, y: 3 };

/** What is kept of an image beside its bytes; null where they tell nothing. */
export interface ImageDetails {
  width: number | null;
  height: number | null;
  blurhash: string | null;
  dominantColor: string | null;
}

/** What the bytes of an image tell, with dimensions as it is shown. */
export interface ReadImage extends ImageDetails {
  /** Whether its metadata turns it onto its side: its width as it is shown is its height as it is stored. */
  isTurned: boolean;
}

const nothing: ReadImage = {
  width: null,
  height: null,
  isTurned: false,
  blurhash: null,
  dominantColor: null,
};
/** From this EXIF orientation on an image is stored on its side. */
const firstTurnedOrientation = 5;

/** An image that is to be read. */
export interface ImageSource {
  mimeType: string;
  size: number;
  /** Its bytes, or a part of them; undefined when they are gone. */
  open: (range?: ByteRange) => Promise<Readable | undefined>;
}

sharp.concurrency(1);

/** Reads dimensions and placeholders out of images: few at once, bounded, and in threads of their own. */
export class ImageReader {
  private readonly turns = new AtMost(placeholdersAtOnce);

  /**
   * Reads an image as people see it: turned as its metadata says, and of an animation the first picture. Of a large file its head
   * alone is read: that tells the dimensions of PNG, JPEG and AVIF; other types tell nothing without the rest.
   * @param thumbnail a smaller picture of it, to make the placeholder of
   */
  async read({ mimeType, size, open }: ImageSource, thumbnail?: Buffer): Promise<ReadImage> {
    if (!isRaster(mimeType))
      return { ...nothing, ...(thumbnail ? await this.turns.run(() => placeholder(thumbnail)) : {}) };
    const isWhole = size <= maximumBytes;
    return this.turns.run(async () => {
      const bytes = await (isWhole ? open() : open({ start: 0, end: headBytes - 1 }));
      if (!bytes) return nothing;
      const file = Buffer.concat(await bytes.toArray());
      const picture = thumbnail ?? (isWhole ? file : undefined);
      return { ...nothing, ...(await dimensions(file)), ...(picture && (await placeholder(picture))) };
    });
  }
}

async function dimensions(file: Buffer): Promise<Pick<ReadImage, 'width' | 'height' | 'isTurned'>> {
  try {
    // The head of the file alone is read here, so that the number of pixels does not matter.
    const { autoOrient, orientation = 1 } = await sharp(file, { limitInputPixels: false }).metadata();
    return { ...autoOrient, isTurned: orientation >= firstTurnedOrientation };
  } catch {
    return { width: null, height: null, isTurned: false };
  }
}

async function placeholder(file: Buffer): Promise<Pick<ImageDetails, 'blurhash' | 'dominantColor'>> {
  try {
    const { data, info } = await sharp(file, { limitInputPixels: maximumPixels, failOn: 'error' })
      .timeout({ seconds: maximumSeconds })
      .autoOrient()
      .resize(sampleSide, sampleSide, { fit: 'inside' })
      .flatten({ background: '#ffffff' })
      .toColourspace('srgb')
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    const { width, height, channels } = info;
    const { dominant } = await sharp(data, { raw: { width, height, channels } }).stats();
    const blurhash = encode(new Uint8ClampedArray(data), width, height, blurhashParts.x, blurhashParts.y);
    return { blurhash, dominantColor: hexOf([dominant.r, dominant.g, dominant.b]) };
  } catch {
    return { blurhash: null, dominantColor: null };
  }
}

function hexOf(parts: readonly number[]): string {
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}
