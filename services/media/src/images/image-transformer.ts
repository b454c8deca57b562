import { QuireError } from '@quire/errors';
import type { ImageProcesses } from './image-processes.js';
import { isDecodable } from './image-limits.js';
import type { ImageSource } from './image-inspector.js';
import type { ImageTaskResult } from './process/image-tasks.js';
import { ProcessFailure } from './process/worker-process.js';
import type { VariantSpec } from './variant-spec.js';

const retryAfterSeconds = 5;

/** A variant, or the reason for its absence: the file cannot be decoded, or its process timed out or died. */
export type TransformResult = Buffer | 'undecodable' | 'failed';

/** Resizes and re-encodes images in child processes, with limits of concurrency and time. */
export class ImageTransformer {
  constructor(private readonly processes: ImageProcesses) {}

  /**
   * Renders a variant in the orientation of the image's metadata, without that metadata. WebP keeps an animation unless
   * it has too many frames or pixels; other formats get its first frame.
   * @throws QuireError SERVICE_UNAVAILABLE when too many tasks wait; errors of `open`.
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
