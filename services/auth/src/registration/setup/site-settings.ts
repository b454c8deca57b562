import type { Context } from '@quire/context';
import type { InternalApiClient } from '@quire/http-server';

/** What the setup says of the site. */
export interface SiteNames {
  title: string;
  tagline: string | null;
}

const path = 'settings';

/** The settings of a site, which the content service keeps. */
export class SiteSettings {
  constructor(private readonly content: InternalApiClient) {}

  /** Stores title and tagline. @throws QuireError SERVICE_UNAVAILABLE */
  async store(ctx: Context, names: SiteNames): Promise<void> {
    await this.content.request(ctx, path, names);
  }

  /** What people call the site: its title, else its host name; that too while the title cannot be had. */
  async title(ctx: Context): Promise<string> {
    const host = ctx.origin === null ? ctx.principal.tenant.id : new URL(ctx.origin).host;
    const settings = await this.content.request<{ title?: string }>(ctx, path).catch(() => undefined);
    return settings?.title?.trim() || host;
  }
}
