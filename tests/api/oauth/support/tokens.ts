import { eventually, statusAndCode, type ApiResponse, type Client, type Site } from '@quire/testing';

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
