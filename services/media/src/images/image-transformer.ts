import { QuireError } from '@quire/errors';
import type { ImageProcesses } from './image-processes.js';
import { isDecodable } from './image-limits.js';
import type { ImageSource } from './image-inspector.js';
import type { ImageTaskResult } from './process/image-tasks.js';
import { ProcessFailure } from './process/worker-process.js';
import type { VariantSpec } from './variant-spec.js';

const retryAfterSeconds = 5;

/** A variant, or why there is none: the file is no image that can be decoded, or its process took too long or died. */
export type TransformResult = Buffer | 'undecodable' | 'failed';

/** Makes smaller or differently encoded images: few at once, bounded, and in processes of their own. */
export class ImageTransformer {
  constructor(private readonly processes: ImageProcesses) {}

  /**
   * Makes an image as people see it: turned as its metadata says, without that metadata. An animation stays one as a
   * WebP, unless it has too many pictures or pixels; else its first picture is taken.
   * @throws QuireError SERVICE_UNAVAILABLE when too many wait; what `open` throws.
   */
  async make(
    tenantId: string,
    { mimeType, size, open }: ImageSource,
    spec: VariantSpec,
  ): Promise<TransformResult> {
    if (!isDecodable({ mimeType, size })) return 'undecodable';
    const { rendering } = this.processes;
    if (!rendering.hasCapacity(tenantId)) throw busy();
    return rendering.run(tenantId, async () => {
      const bytes = await open();
      if (!bytes) return 'undecodable';
      return this.render(Buffer.concat(await bytes.toArray()), spec);
    });
  }

  private async render(file: Buffer, spec: VariantSpec): Promise<TransformResult> {
    const found: ImageTaskResult = {};
    try {
      await this.processes.run({ name: 'render', spec }, file, found);
    } catch (error) {
      if (!(error instanceof ProcessFailure)) throw error;
      if (error.reason === 'closed') throw busy();
      return 'failed';
    }
    return found.bytes ?? 'undecodable';
  }
}

function busy(): QuireError {
  return new QuireError('SERVICE_UNAVAILABLE', 'Too many images are being processed. Retry later.', {
    retryAfterSeconds,
  });
}
