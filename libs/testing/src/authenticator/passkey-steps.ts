import type { ApiResponse, Client, RequestOptions } from '../site/client.js';
import type { Site } from '../site/open-site.js';
import type { Ceremony, SoftwareAuthenticator } from './authenticator.js';

/** A page of the site, with its origin in browsers. */
export function ceremonyOf({ host }: Site): Ceremony {
  return { origin: `http://${host}` };
}

/** The data of a successful response. */
export function ceremonyOptionsOf({ status, data, body }: ApiResponse) {
  if (status !== 200) throw new Error(`Unexpected status: ${status} ${JSON.stringify(body)}`);
  return data.options;
}

/** Adds a passkey of the authenticator to those of the client's user. */
export async function addPasskey(
  site: Site,
  client: Client,
  authenticator: SoftwareAuthenticator,
  name?: string,
): Promise<ApiResponse> {
  const options = ceremonyOptionsOf(await client.post('/auth/passkey/register/options'));
  const credential = authenticator.register(options, ceremonyOf(site));
  return client.post('/auth/passkey/register/verify', {
    credential,
    ...(name === undefined ? {} : { name }),
  });
}

/** Signs in with the authenticator at the site. */
export async function logIn(
  site: Site,
  authenticator: SoftwareAuthenticator,
  { ceremony, request }: { ceremony?: Partial<Ceremony>; request?: RequestOptions } = {},
): Promise<ApiResponse> {
  const options = ceremonyOptionsOf(await site.anonymous().post('/auth/passkey/options'));
  const credential = authenticator.logIn(options, { ...ceremonyOf(site), ...ceremony });
  return site.anonymous().post('/auth/passkey/verify', { credential }, request);
}
