import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';

/** The site as a WebAuthn relying party. */
export interface RelyingParty {
  /** The host name that passkeys are bound to. */
  id: string;
  /** Origins of pages that may use them. */
  origins: string[];
}

/** Creates the relying party of a request. */
export class RelyingPartyFactory {
  /** @param allowedOrigins further origins whose pages may use the site's passkeys */
  constructor(private readonly allowedOrigins: readonly string[]) {}

  /**
   * @returns the relying party of the origin of the request (contract 27).
   * @throws QuireError INVALID_REQUEST for a context without an origin, such as that of a job.
   */
  of({ origin }: Pick<Context, 'origin'>): RelyingParty {
    if (origin === null || !URL.canParse(origin))
      throw new QuireError('INVALID_REQUEST', 'Passkeys require a request to the host name of the site');
    const { hostname, origin: own } = new URL(origin);
    return { id: hostname, origins: [own, ...this.allowedOrigins] };
  }
}
