import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import type { InternalApiClient } from '@quire/http-server';

/** What the seed of a new site holds, as the setup shows it. */
export interface SeedInfo {
  name: string;
  description: string;
  collections: number;
  hasContent: boolean;
}

const path = 'seed';

/** The collections and entries that a new site begins with, which the content service makes (contract 38). */
export class SiteSeed {
  constructor(private readonly content: InternalApiClient) {}

  /** What applying it would make; null while that cannot be found out. */
  async info(ctx: Context): Promise<SeedInfo | null> {
    return this.content.request<SeedInfo>(ctx, path).catch(() => null);
  }

  /**
   * Makes what is not there yet.
   * @param withEntries also the entries that show how things are meant
   * @returns how many of each kind were made
   * @throws QuireError SEED_ERROR, SERVICE_UNAVAILABLE.
   */
  apply(ctx: Context, withEntries: boolean): Promise<Record<string, number>> {
    return this.content.request<Record<string, number>>(ctx, path, { withEntries }).catch(seedFailed);
  }
}

function seedFailed(cause: unknown): never {
  if (cause instanceof QuireError && cause.code === 'SERVICE_UNAVAILABLE') throw cause;
  throw new QuireError('SEED_ERROR', 'Default content could not be created; try again', { cause });
}
