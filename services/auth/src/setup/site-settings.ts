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
    const token = this.signer.sign(systemActor(ctx.principal.tenant, 'system:setup'));
    const { status } = await this.content().ask(path, names, { [internalTokenHeader]: token });
    if (status !== 200)
      throw new QuireError('SERVICE_UNAVAILABLE', 'The settings cannot be stored now; try again shortly', {
        retryAfterSeconds: 2,
      });
  }
}
