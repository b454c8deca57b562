import type { Readable } from 'node:stream';
import type { ByteRange } from '@quire/object-store';
import type { ImageProcesses } from './image-processes.js';
import { isRaster, maxDecodableBytes } from './image-limits.js';
import type { Dimensions, ImageDetails, ImageTaskResult, ImageTask } from './process/image-tasks.js';
import { ProcessFailure } from './process/worker-process.js';

/** Bytes that are read of a file that is too large to be decoded. */
const headBytes = 512 * 1024;

/** The properties that an image's bytes have. Dimensions are those of the upright image. */
export type InspectedImage = ImageDetails & Dimensions;

const nothing: InspectedImage = {
  width: null,
  height: null,
  isRotated: false,
  blurhash: null,
  dominantColor: null,
};

/** An image to inspect. */
export interface ImageSource {
  mimeType: string;
  size: number;
  /** Opens the bytes or a range of them; undefined when they are deleted. */
  open: (range?: ByteRange) => Promise<Readable | undefined>;
}

/** Reads dimensions and placeholders of images in child processes, with limits of concurrency and time. */
export class ImageInspector {
  constructor(private readonly processes: ImageProcesses) {}

  /**
   * Inspects an image in the orientation of its metadata, and the first frame of an animation. Only the head of a large
   * file is read: PNG, JPEG and AVIF have their dimensions there, other types do not. On a timeout the properties found
   * so far are returned.
   * @param thumbnail a smaller version of the image for the placeholder
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
