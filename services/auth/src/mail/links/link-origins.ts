import type { Context } from '@quire/context';

/**
 * Decides the origin of a site's links. The host name of the request is used only if it belongs to the site. Otherwise
 * an attacker could request a link that sends the secret of another user to the attacker's host.
 */
export class LinkOrigins {
  constructor(
    private readonly publicOrigin: string,
    private readonly isKnownHost: (host: string) => Promise<boolean>,
  ) {}

  /** @returns the origin of the request if its host belongs to the site, otherwise the configured public origin. */
  async of({ origin }: Pick<Context, 'origin'>): Promise<string> {
    if (origin === null || !URL.canParse(origin)) return this.publicOrigin;
    const { origin: normalised, host } = new URL(origin);
    return (await this.isKnownHost(host)) ? normalised : this.publicOrigin;
  }
}
