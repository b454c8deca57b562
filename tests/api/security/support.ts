import {
  addPasskey,
  ceremonyOf,
  ceremonyOptionsOf,
  SoftwareAuthenticator,
  type ApiResponse,
  type Ceremony,
  type Client,
  type Site,
} from '@quire/testing';

/** E-mail addresses of a site, by the name of a user: sites share the mail server, so each uses its own addresses. */
export const addressesOf =
  (site: Site) =>
  (name: string): string =>
    `${name}@${site.tenant}.example`;

/** Creates an administrator with a passkey whose sign-in is no longer recent. */
export async function createPasskeyHolder(
  site: Site,
  name: string,
): Promise<{ client: Client; key: SoftwareAuthenticator }> {
  const key = new SoftwareAuthenticator();
  await addPasskey(site, await site.signedIn('admin', name), key);
  return { client: await site.signedIn('admin', name, 10.1), key };
}

/** Signs a challenge of the signed-in user with their passkey. @returns the credential */
export async function signChallenge(
  site: Site,
  client: Client,
  key: SoftwareAuthenticator,
  ceremony: Partial<Ceremony> = {},
): Promise<object> {
  const options = ceremonyOptionsOf(await client.post('/auth/passkey/reauthenticate/options'));
  return key.logIn(options, { ...ceremonyOf(site), ...ceremony });
}

/** Confirms the identity of the signed-in user with their passkey. */
export async function reauthenticate(...credential: Parameters<typeof signChallenge>): Promise<ApiResponse> {
  const [, client] = credential;
  return client.post('/auth/passkey/reauthenticate/verify', {
    credential: await signChallenge(...credential),
  });
}
