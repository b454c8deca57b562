import type { Environment } from '@quire/config';
import type { PublicAddress } from '@quire/tenancy';

type PublicAddressVariables = Pick<Environment, 'CMS_PUBLIC_URL' | 'CMS_SITE_URL' | 'SITE_URL' | 'PORT'>;

/** The address of the API for clients, and whether it is configured. */
export function publicAddressOf(environment: PublicAddressVariables): PublicAddress {
  const { CMS_PUBLIC_URL, CMS_SITE_URL, SITE_URL, PORT } = environment;
  const given = CMS_PUBLIC_URL ?? CMS_SITE_URL ?? SITE_URL;
  return { origin: new URL(given ?? `http://localhost:${PORT}`).origin, isGiven: given !== undefined };
}

/** The origin of the API for clients. */
export function publicOriginOf(environment: PublicAddressVariables): string {
  return publicAddressOf(environment).origin;
}
