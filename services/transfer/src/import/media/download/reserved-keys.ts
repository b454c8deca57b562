import type { Context } from '@quire/context';
import { mediaApi } from '@quire/internal-api';
import type { InternalApiClient } from '@quire/service-client';

/** Keys of one call. Unused ones are forgotten, and their reservations end by themselves. */
const batchSize = 64;
/** With the longest transfer it is shorter than a reservation. */
const usableMs = 10 * 60_000;

interface Batch {
  keys: Promise<string[]>;
  expiresAt: number;
  left: number;
}

/** Keys of objects that the media service has reserved for sites, several with one call. */
export class ReservedKeys {
  private readonly batches = new Map<string, Batch>();

  constructor(private readonly media: InternalApiClient) {}

  /** @returns a key that no other download gets. @throws QuireError SERVICE_UNAVAILABLE */
  async take(ctx: Context): Promise<string> {
    const { id } = ctx.principal.tenant;
    let batch = this.batches.get(id);
    if (!batch || batch.left === 0 || batch.expiresAt < Date.now()) batch = this.reserve(ctx);
    const index = --batch.left;
    if (batch.left === 0) this.batches.delete(id);
    const key = (await batch.keys)[index];
    if (key === undefined) throw new Error('The media service reserved too few objects');
    return key;
  }

  private reserve(ctx: Context): Batch {
    const { id } = ctx.principal.tenant;
    const keys = this.media
      .call(mediaApi.reserveObjects, ctx, { count: batchSize })
      .then(({ objectKeys }) => objectKeys);
    const batch = { keys, expiresAt: Date.now() + usableMs, left: batchSize };
    this.batches.set(id, batch);
    // A failed call must not fail the downloads after an outage.
    keys.catch(() => {
      if (this.batches.get(id) === batch) this.batches.delete(id);
    });
    return batch;
  }
}
