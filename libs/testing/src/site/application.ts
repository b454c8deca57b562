import { createHash, randomBytes } from 'node:crypto';
import type { ApiResponse, Client } from './client.js';
import type { Site } from './open-site.js';

const authorizePath = '/_cms/oauth/authorize';

/** A consent page in a browser. */
export interface Consent {
  response: ApiResponse;
  page: string;
  /** Names of the scopes with a checked box. */
  boxes: string[];
  /** Names of the scopes with a box. */
  offered: string[];
  /** Sends the form of the page with the changes. @returns the address of the redirect */
  send(changes?: {
    action?: string;
    scopes?: string[];
    csrf?: string;
    cookie?: string;
    /** The use of a passkey. */
    credential?: object;
  }): Promise<ApiResponse>;
}

/** An application that requests access, with a PKCE verifier. */
export interface Application {
  id: string;
  redirectUri: string;
  verifier: string;
  challenge: string;
  /** Path and query of a request for consent; a change to undefined leaves a parameter out. */
  address(changes?: Record<string, string | undefined>): string;
  /** Opens the consent page in the browser of a signed-in user. */
  requestConsent(browser: Client, changes?: Record<string, string | undefined>): Promise<Consent>;
  /** Lets the user approve all requested scopes. @returns the code */
  code(browser: Client, scope?: string): Promise<string>;
  exchange(code: string, changes?: Record<string, string | undefined>): Promise<ApiResponse>;
  /** Lets the user approve, and requests the tokens. */
  tokens(
    browser: Client,
    scope?: string,
  ): Promise<{ access_token: string; refresh_token: string; scope: string }>;
  refresh(refreshToken: string, changes?: Record<string, string | undefined>): Promise<ApiResponse>;
}

/** Registers an application by dynamic registration. */
export async function openApplication(
  site: Site,
  metadata: Record<string, unknown> = {},
): Promise<Application> {
  const redirectUri = 'https://app.example/callback';
  const registered = await site
    .anonymous()
    .post('/oauth/register', { redirect_uris: [redirectUri], client_name: 'App', ...metadata });
  const { client_id: id } = registered.body as { client_id?: string };
  if (id === undefined)
    throw new Error(`The application was not registered: ${JSON.stringify(registered.body)}`);
  const verifier = randomBytes(32).toString('base64url');
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  const address: Application['address'] = (changes = {}) => {
    const defaults = {
      client_id: id,
      redirect_uri: redirectUri,
      response_type: 'code',
      code_challenge: challenge,
      code_challenge_method: 'S256',
      scope: 'content:read',
      state: 's-1',
    };
    return `${authorizePath}?${form({ ...defaults, ...changes })}`;
  };
  const requestConsent: Application['requestConsent'] = (browser, changes) =>
    openConsent(browser, address(changes));
  const code: Application['code'] = async (browser, scope = 'content:read') => {
    const { response, offered, send } = await requestConsent(browser, { scope });
    if (response.status !== 200)
      throw new Error(`No consent page was returned: ${JSON.stringify(response.body)}`);
    const location = (await send({ scopes: offered })).headers.get('location') ?? '';
    return new URL(location).searchParams.get('code') ?? '';
  };
  const requestToken = (parameters: Record<string, string | undefined>) =>
    site.anonymous().post('/oauth/token', undefined, {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      rawBody: form(parameters),
    });
  const exchange: Application['exchange'] = (code, changes = {}) =>
    requestToken({
      grant_type: 'authorization_code',
      code,
      client_id: id,
      redirect_uri: redirectUri,
      code_verifier: verifier,
      ...changes,
    });
  return {
    id,
    redirectUri,
    verifier,
    challenge,
    address,
    requestConsent,
    code,
    exchange,
    tokens: async (browser, scope) => {
      const response = await exchange(await code(browser, scope));
      if (response.status !== 200)
        throw new Error(`No tokens were returned: ${JSON.stringify(response.body)}`);
      return response.body as Awaited<ReturnType<Application['tokens']>>;
    },
    refresh: (refreshToken, changes = {}) =>
      requestToken({ grant_type: 'refresh_token', refresh_token: refreshToken, client_id: id, ...changes }),
  };
}

async function openConsent(browser: Client, address: string): Promise<Consent> {
  const session = `cms_session=${browser.session}`;
  const response = await browser.get(address, { headers: { 'x-cms-request': undefined } });
  const page = String(response.body);
  const cookie = /cms_oauth_csrf=[^;]+/.exec(response.headers.get('set-cookie') ?? '')?.[0] ?? '';
  const csrf = /name="csrf" value="([^"]*)"/.exec(page)?.[1] ?? '';
  const scopesOf = (box: RegExp) => [...page.matchAll(box)].map(([, scope]) => String(scope));
  const boxes = scopesOf(/name="scopes" value="([^"]*)" checked/g);
  const action = (/<form method="post" action="([^"]*)"/.exec(page)?.[1] ?? address).replaceAll('&amp;', '&');
  return {
    response,
    page,
    boxes,
    offered: scopesOf(/name="scopes" value="([^"]*)"/g),
    send: (changes = {}) => {
      const fields = new URLSearchParams({ csrf: changes.csrf ?? csrf, action: changes.action ?? 'approve' });
      for (const scope of changes.scopes ?? boxes) fields.append('scopes', scope);
      if (changes.credential) fields.set('credential', JSON.stringify(changes.credential));
      return browser.post(action, undefined, {
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          'x-cms-request': undefined,
          cookie: `${session}; ${changes.cookie ?? cookie}`,
        },
        rawBody: fields.toString(),
      });
    },
  };
}

function form(parameters: Record<string, string | undefined>): string {
  const given = Object.entries(parameters).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return new URLSearchParams(given).toString();
}
