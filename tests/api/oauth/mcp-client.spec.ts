import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { auth, type OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js';
import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';
import { openSite, type Client, type Site } from '@quire/testing';
import { siteFetch } from './support/site-fetch.js';

let site: Site;
let editor: Client;

beforeAll(async () => {
  site = await openSite();
  editor = await site.signedIn('editor');
});
afterAll(() => site.close());

const redirectUrl = 'http://127.0.0.1:33418/callback';

/** A program with an MCP client in it, as far as it lets its user sign in. */
class Program implements OAuthClientProvider {
  readonly redirectUrl = redirectUrl;
  readonly clientMetadata = {
    client_name: 'An MCP client',
    redirect_uris: [redirectUrl],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  };
  /** Where the user is sent to. */
  sentTo: URL | undefined;
  private client: OAuthClientInformationMixed | undefined;
  private saved: OAuthTokens | undefined;
  private verifier = '';

  clientInformation = () => this.client;
  saveClientInformation = (client: OAuthClientInformationMixed) => void (this.client = client);
  tokens = () => this.saved;
  saveTokens = (tokens: OAuthTokens) => void (this.saved = tokens);
  redirectToAuthorization = (url: URL) => void (this.sentTo = url);
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

/** The user leaves some boxes checked and presses Allow, on the page that the program has opened. */
async function allow(page: URL, kept: readonly string[]): Promise<URL> {
  const address = `${page.pathname}${page.search}`;
  const shown = await editor.get(address);
  const csrf = /name="csrf" value="([^"]+)"/.exec(String(shown.body))?.[1] ?? '';
  const cookie = /cms_oauth_csrf=[^;]+/.exec(shown.headers.get('set-cookie') ?? '')?.[0] ?? '';
  const offered = [...String(shown.body).matchAll(/name="scopes" value="([^"]+)"/g)].map(
    ([, scope = '']) => scope,
  );
  expect(offered).toEqual(expect.arrayContaining([...kept, 'content:write']));
  expect(offered).not.toContain('admin');
  const fields = kept.map((scope): [string, string] => ['scopes', scope]);
  const answer = await editor.post(address, undefined, {
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      origin: `http://${site.host}`,
      cookie: `cms_session=${editor.session}; ${cookie}`,
    },
    rawBody: new URLSearchParams([...fields, ['csrf', csrf], ['action', 'approve']]).toString(),
  });
  return new URL(answer.headers.get('location') ?? '');
}

describe('the OAuth client of the MCP SDK (document 2, Authentication)', () => {
  it('discovers the server, registers itself, gets consent and refreshes its token', async () => {
    const program = new Program();
    expect(await program.signIn()).toBe('REDIRECT');
    expect(program.sentTo?.searchParams.get('resource')).toBe(`http://${site.host}/_cms/api/mcp`);
    const back = await allow(program.sentTo as URL, ['content:read', 'media:read']);
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
