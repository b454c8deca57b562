import { beforeAll, describe, expect, it } from '@jest/globals';
import { auth, type OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js';
import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';
import { useSite, type Client } from '@quire/testing';
import { siteFetch } from './support.js';

const site = useSite();
let editor: Client;

beforeAll(async () => {
  editor = await site.signedIn('editor');
});

const redirectUrl = 'http://127.0.0.1:33418/callback';

/** The sign-in part of a program with an MCP client. */
class Program implements OAuthClientProvider {
  readonly redirectUrl = redirectUrl;
  readonly clientMetadata = {
    client_name: 'An MCP client',
    redirect_uris: [redirectUrl],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  };
  /** Address to which the program redirects its user. */
  authorizationUrl: URL | undefined;
  private client: OAuthClientInformationMixed | undefined;
  private saved: OAuthTokens | undefined;
  private verifier = '';

  clientInformation = () => this.client;
  saveClientInformation = (client: OAuthClientInformationMixed) => void (this.client = client);
  tokens = () => this.saved;
  saveTokens = (tokens: OAuthTokens) => void (this.saved = tokens);
  redirectToAuthorization = (url: URL) => void (this.authorizationUrl = url);
  saveCodeVerifier = (verifier: string) => void (this.verifier = verifier);
  codeVerifier = () => this.verifier;
  state = () => 'state-of-the-program';

  signIn(authorizationCode?: string) {
    return auth(this, {
      serverUrl: `http://${site.host}/_cms/api/mcp`,
      fetchFn: siteFetch(site),
      ...(authorizationCode === undefined ? {} : { authorizationCode }),
    });
  }
}

/** Submits the consent page with these scopes checked. @returns the address of the redirect */
async function allow(page: URL, checked: readonly string[]): Promise<URL> {
  const address = `${page.pathname}${page.search}`;
  const form = await editor.get(address);
  const csrf = /name="csrf" value="([^"]+)"/.exec(String(form.body))?.[1] ?? '';
  const cookie = /cms_oauth_csrf=[^;]+/.exec(form.headers.get('set-cookie') ?? '')?.[0] ?? '';
  const offered = [...String(form.body).matchAll(/name="scopes" value="([^"]+)"/g)].map(
    ([, scope = '']) => scope,
  );
  expect(offered).toEqual(expect.arrayContaining([...checked, 'content:write']));
  expect(offered).not.toContain('admin');
  const fields = checked.map((scope): [string, string] => ['scopes', scope]);
  const response = await editor.post(address, undefined, {
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      origin: `http://${site.host}`,
      cookie: `cms_session=${editor.session}; ${cookie}`,
    },
    rawBody: new URLSearchParams([...fields, ['csrf', csrf], ['action', 'approve']]).toString(),
  });
  return new URL(response.headers.get('location') ?? '');
}

describe('OAuth client of the MCP SDK (document 2, Authentication)', () => {
  it('discovers the server, registers itself, gets consent and refreshes its token', async () => {
    const program = new Program();
    expect(await program.signIn()).toBe('REDIRECT');
    expect(program.authorizationUrl?.searchParams.get('resource')).toBe(`http://${site.host}/_cms/api/mcp`);
    const back = await allow(program.authorizationUrl as URL, ['content:read', 'media:read']);
    expect(back.searchParams.get('state')).toBe('state-of-the-program');
    expect(await program.signIn(back.searchParams.get('code') ?? '')).toBe('AUTHORIZED');
    const first = program.tokens();
    expect(first).toMatchObject({
      access_token: expect.stringMatching(/^ec_oat_/),
      token_type: 'Bearer',
      scope: 'content:read media:read',
    });
    const asProgram = () => site.withToken(program.tokens()?.access_token ?? '').get('/auth/me');
    expect((await asProgram()).data).toMatchObject({ role: 40 });

    expect(await program.signIn()).toBe('AUTHORIZED');
    expect(program.tokens()?.access_token).not.toBe(first?.access_token);
    expect((await asProgram()).status).toBe(200);
  });
});
