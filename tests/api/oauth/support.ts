import { eventually, statusAndCode, type ApiResponse, type Client, type Site } from '@quire/testing';
import { request } from 'undici';

/** Grant type of the device flow (RFC 8628). */
export const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';

/** Status and error code of an OAuth error, which has no envelope. */
export const oauthError = ({ status, body }: ApiResponse) => [status, (body as { error: unknown }).error];
export const invalidGrant = [400, 'invalid_grant'];

/** Status and code of reading the entries of `posts` with a token. */
export const read = async (site: Site, token: string) =>
  statusAndCode(await site.withToken(token).get('/content/posts'));

/** Polls until a token is rejected, because a revocation takes time to reach every process. */
export const waitUntilRevoked = (site: Site, token: string) =>
  eventually(
    () => read(site, token),
    ([status]) => status !== 200,
  );

/** Creates and signs in a user that no other test uses, so that the test may demote or disable them. */
export async function createSignedInUser(
  site: Site,
  role: 'admin' | 'editor',
  name: string,
): Promise<{ signedIn: Client; email: string }> {
  return { signedIn: await site.signedIn(role, name), email: `${name}@${site.tenant}.example` };
}

/** A fetch for libraries that use the site's address: sends requests to the system under test with the Host header. */
export function siteFetch(site: Site): typeof fetch {
  return async (input, init = {}) => {
    const { pathname, search, host } = new URL(String(input));
    const response = await request(`${site.system.origin}${pathname}${search}`, {
      method: (init.method ?? 'GET') as 'GET',
      headers: { ...Object.fromEntries(new Headers(init.headers).entries()), host },
      body: init.body === undefined || init.body === null ? null : String(init.body as string),
    });
    const headers = Object.entries(response.headers).map(
      ([name, value]) => [name, String(value)] as [string, string],
    );
    return new Response(await response.body.text(), { status: response.statusCode, headers });
  };
}
