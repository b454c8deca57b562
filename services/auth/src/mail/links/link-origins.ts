import type { Context } from '@quire/context';

/**
 * Decides the origin of a site's links. The host name of the request counts only when it is one of the site's;
 * otherwise an attacker could request a link to a host of theirs with the secret of another user in it.
 */
export class LinkOrigins {
  constructor(
    private readonly publicOrigin: string,
    private readonly isKnownHost: (host: string) => Promise<boolean>,
  ) {}

  /** The origin of the request when its host belongs to the site, else the configured public one. */
  async of({ origin }: Pick<Context, 'origin'>): Promise<string> {
    if (origin === null || !URL.canParse(origin)) return this.publicOrigin;
    const { origin: own, host } = new URL(origin);
    return (await this.isKnownHost(host)) ? own : this.publicOrigin;
  }
}
