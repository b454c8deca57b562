import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import { contentApi } from '@quire/internal-api';
import type { InternalApiClient } from '@quire/service-client';

/** The collections and entries of a new site, which the content service creates (contract 38). */
export class SiteSeed {
  constructor(private readonly content: InternalApiClient) {}

  /** What the seed creates; null while content is unavailable. */
  async info(ctx: Context): Promise<contentApi.SeedInfo | null> {
    return this.content.call(contentApi.getSeed, ctx).catch(() => null);
  }

  /**
   * Creates what the site lacks of the seed.
   * @param withEntries also the example entries
   * @returns the number of created rows of each kind
   * @throws QuireError SEED_ERROR, SERVICE_UNAVAILABLE.
   */
  apply(ctx: Context, withEntries: boolean): Promise<contentApi.SeedResult> {
    return this.content.call(contentApi.applySeed, ctx, { withEntries }).catch(seedFailed);
  }
}

function seedFailed(cause: unknown): never {
  if (cause instanceof QuireError && cause.code === 'SERVICE_UNAVAILABLE') throw cause;
  throw new QuireError('SEED_ERROR', 'Default content could not be created; try again', { cause });
}
