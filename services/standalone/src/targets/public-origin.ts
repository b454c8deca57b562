import type { PublicAddress } from '@quire/tenancy';
import type { AppContainer } from '../app-container.js';

/** Where clients reach the API, and whether the operator said so. */
export function publicAddressOf({ environment }: AppContainer): PublicAddress {
  const { CMS_PUBLIC_URL, CMS_SITE_URL, SITE_URL, PORT } = environment;
  const given = CMS_PUBLIC_URL ?? CMS_SITE_URL ?? SITE_URL;
  return { origin: new URL(given ?? `http://localhost:${PORT}`).origin, isGiven: given !== undefined };
}

/** The origin at which clients reach the API. */
export function publicOriginOf(container: AppContainer): string {
  return publicAddressOf(container).origin;
}
