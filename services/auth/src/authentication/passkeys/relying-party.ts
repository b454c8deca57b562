import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';

/** The site as an authenticator knows it. */
export interface RelyingParty {
  /** Host name that passkeys are bound to. */
  id: string;
  /** Origins of pages that may use them. */
  origins: string[];
}

/** Knows as which relying party a site is met. */
export class RelyingPartyFactory {
  /** @param allowedOrigins further origins of pages that may use the passkeys of the host name they were made for */
  constructor(private readonly allowedOrigins: readonly string[]) {}

  /**
   * The site at the origin of the request (contract 27).
   * @throws QuireError INVALID_REQUEST for work without a client.
   */
  of({ origin }: Pick<Context, 'origin'>): RelyingParty {
    if (origin === null || !URL.canParse(origin))
      throw new QuireError('INVALID_REQUEST', 'Passkeys need a request to the host name of the site');
    const { hostname, origin: own } = new URL(origin);
    return { id: hostname, origins: [own, ...this.allowedOrigins] };
  }
}
