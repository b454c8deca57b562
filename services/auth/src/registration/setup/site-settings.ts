import type { Context } from '@quire/context';
import { contentApi } from '@quire/internal-api';
import type { InternalApiClient } from '@quire/service-client';

/** The settings of a site, which the content service stores. */
export class SiteSettings {
  constructor(private readonly content: InternalApiClient) {}

  /** Stores title and tagline. @throws QuireError SERVICE_UNAVAILABLE */
  async store(ctx: Context, names: contentApi.SiteNames): Promise<void> {
    await this.content.call(contentApi.updateSiteNames, ctx, names);
  }

  /** The title of the site; its host name without a title and while content is unavailable. */
  async title(ctx: Context): Promise<string> {
    const host = ctx.origin === null ? ctx.principal.tenant.id : new URL(ctx.origin).host;
    const settings = await this.content.call(contentApi.getSiteTitle, ctx).catch(() => undefined);
    return settings?.title?.trim() || host;
  }
}
