import { eventually, statusAndCode, type ApiResponse, type Client, type Site } from '@quire/testing';

/** Status and error of a oauthError as OAuth words it: at top level, in no envelope. */
export const oauthError = ({ status, body }: ApiResponse) => [status, (body as { error: unknown }).error];
export const invalidGrant = [400, 'invalid_grant'];

/** What a token gets that reads the entries of `posts`. */
export const read = async (site: Site, token: string) =>
  statusAndCode(await site.withToken(token).get('/content/posts'));

/** Asks until a token is rejected: its end has to reach every process. */
export const waitUntilRevoked = (site: Site, token: string) =>
  eventually(
    () => read(site, token),
    ([status]) => status !== 200,
  );

/** Signs in somebody whom no other test knows, and whom a test may therefore demote or disable. */
export async function createSignedInUser(
  site: Site,
  role: 'admin' | 'editor',
  name: string,
): Promise<{ signedIn: Client; email: string }> {
  return { signedIn: await site.signedIn(role, name), email: `${name}@${site.tenant}.example` };
}
