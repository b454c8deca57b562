import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import { contentApi } from '@quire/internal-api';
import type { InternalApiClient } from '@quire/service-client';

/** The settings of a site, which the content service stores. */
export class SiteSettings {
  constructor(private readonly content: InternalApiClient) {}

  /** Stores title and tagline. @throws QuireError SERVICE_UNAVAILABLE */
  async store(ctx: Context, names: contentApi.SiteNames): Promise<void> {
    await this.content.call(contentApi.updateSiteNames, ctx, names);
  }

  /** @returns the title of the site; its host name when it has no title, and while content is unavailable. */
  async title(ctx: Context): Promise<string> {
    const host = ctx.origin === null ? ctx.principal.tenant.id : new URL(ctx.origin).host;
    const settings = await this.content.call(contentApi.getSiteTitle, ctx).catch(() => undefined);
    return settings?.title?.trim() || host;
  }
}

/** The collections and entries of a new site, which the content service creates (contract 38). */
export class SiteSeed {
  constructor(private readonly content: InternalApiClient) {}

  /** @returns a description of the seed; null while content is unavailable. */
  async info(ctx: Context): Promise<contentApi.SeedInfo | null> {
    return this.content.call(contentApi.getSeed, ctx).catch(() => null);
  }

  /**
   * Creates the rows of the seed that the site lacks.
   * @param withEntries whether to create the example entries
   * @returns the number of created rows of each kind
   * @throws QuireError SEED_ERROR, SERVICE_UNAVAILABLE.
   */
  apply(ctx: Context, withEntries: boolean): Promise<contentApi.SeedResult> {
    return this.content.call(contentApi.applySeed, ctx, { withEntries }).catch(throwSeedError);
  }
}

function throwSeedError(cause: unknown): never {
  if (cause instanceof QuireError && cause.code === 'SERVICE_UNAVAILABLE') throw cause;
  throw new QuireError('SEED_ERROR', 'Default content could not be created; try again', { cause });
}
