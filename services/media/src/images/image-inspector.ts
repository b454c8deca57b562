import type { Readable } from 'node:stream';
import type { ByteRange } from '@quire/object-store';
import type { ImageProcesses } from './image-processes.js';
import { isRaster, maxDecodableBytes } from './image-limits.js';
import type { Dimensions, ImageDetails, ImageTaskResult, ImageTask } from './process/image-tasks.js';
import { ProcessFailure } from './process/worker-process.js';

/** Of a file that is not read as a whole. */
const headBytes = 512 * 1024;

/** What the bytes of an image tell, with dimensions as it is shown. */
export type InspectedImage = ImageDetails & Dimensions;

const nothing: InspectedImage = {
  width: null,
  height: null,
  isRotated: false,
  blurhash: null,
  dominantColor: null,
};

/** An image that is to be read. */
export interface ImageSource {
  mimeType: string;
  size: number;
  /** Its bytes, or a part of them; undefined when they are gone. */
  open: (range?: ByteRange) => Promise<Readable | undefined>;
}

/** Reads dimensions and placeholders out of images: few at once, bounded, and in processes of their own. */
export class ImageInspector {
  constructor(private readonly processes: ImageProcesses) {}

  /**
   * Reads an image as people see it: turned as its metadata says, and of an animation the first picture. Of a large
   * file its head alone is read: that tells the dimensions of PNG, JPEG and AVIF; other types tell nothing without the
   * rest. What takes too long tells what was found until then.
   * @param thumbnail a smaller picture of it, to make the placeholder of
   */
  async read(
    tenantId: string,
    { mimeType, size, open }: ImageSource,
    thumbnail?: Buffer,
  ): Promise<InspectedImage> {
    if (!isRaster(mimeType)) {
      if (!thumbnail) return nothing;
      return this.processes.reading.run(tenantId, () =>
        this.find({ name: 'read', thumbnail, isWhole: false }),
      );
    }
    const isWhole = size <= maxDecodableBytes;
    return this.processes.reading.run(tenantId, async () => {
      const bytes = await (isWhole ? open() : open({ start: 0, end: headBytes - 1 }));
      if (!bytes) return nothing;
      const file = Buffer.concat(await bytes.toArray());
      return this.find({ name: 'read', thumbnail, isWhole }, file);
    });
  }

  private async find(task: ImageTask, file?: Buffer): Promise<InspectedImage> {
    const found: ImageTaskResult = {};
    try {
      await this.processes.run(task, file, found);
    } catch (error) {
      if (!(error instanceof ProcessFailure)) throw error;
    }
    return { ...nothing, ...found };
  }
}
