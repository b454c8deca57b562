import { internalTokenHeader, systemActor, type Context, type InternalTokenSigner } from '@quire/context';
import { QuireError } from '@quire/errors';
import { internalPrefix, type ServiceDoor } from '@quire/http-server';

/** What the setup says of the site. */
export interface SiteNames {
  title: string;
  tagline: string | null;
}

const path = `${internalPrefix}/content/settings`;

/** The settings of a site, which the content service keeps. */
export class SiteSettings {
  /** @param content finds the way to the content service, which may start after this one */
  constructor(
    private readonly content: () => ServiceDoor,
    private readonly signer: InternalTokenSigner,
  ) {}

  /** Stores title and tagline. @throws QuireError SERVICE_UNAVAILABLE */
  async store(ctx: Context, names: SiteNames): Promise<void> {
    const { status } = await this.content().ask(path, names, this.headers(ctx, 'system:setup'));
    if (status !== 200)
      throw new QuireError('SERVICE_UNAVAILABLE', 'The settings cannot be stored now; try again shortly', {
        retryAfterSeconds: 2,
      });
  }

  /** What the site is called; its host where it has no title, or nobody can be asked. */
  async title(ctx: Context): Promise<string> {
    const host = new URL(ctx.origin ?? 'http://localhost').host;
    try {
      const { status, text } = await this.content().ask(path, undefined, this.headers(ctx, 'system:pages'));
      if (status !== 200) return host;
      const { data } = JSON.parse(text) as { data?: { title?: string | null } };
      return data?.title || host;
    } catch (error) {
      if (error instanceof QuireError) return host;
      throw error;
    }
  }

  private headers(ctx: Context, actor: `system:${string}`): Record<string, string> {
    return { [internalTokenHeader]: this.signer.sign(systemActor(ctx.principal.tenant, actor)) };
  }
}
