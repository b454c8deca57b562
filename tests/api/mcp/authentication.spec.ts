import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  callTool,
  eventually,
  openApplication,
  openSite,
  statusAndCode,
  useSite,
  type Application,
  type Client,
} from '@quire/testing';
import { resultOf, rpc, toolCall } from './support.js';

const site = useSite();
let editor: Client;
let application: Application;

beforeAll(async () => {
  editor = await site.as('editor');
  application = await openApplication(site);
});

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
const statusOf = async (client: Client) => statusAndCode(await client.post('/mcp', ping));
const invalidToken = [401, 'INVALID_TOKEN'];
const send = (headers: Record<string, string>, path = '/mcp') =>
  site.anonymous().post(path, ping, { headers });
/** The address at which clients find the authorization server. */
const challenge = () => `Bearer resource_metadata="http://${site.host}/.well-known/oauth-protected-resource"`;

/** Polls until the status changes: a revocation reaches every process shortly after the response. */
const whenChanged = (client: Client, from = 200) =>
  eventually(
    () => statusOf(client),
    ([status]) => status !== from,
  );

describe('a request without a token (contract 14)', () => {
  it('is 401 NOT_AUTHENTICATED, with the address of the metadata', async () => {
    const { status, body, headers } = await site.anonymous().post('/mcp', ping);
    expect([status, body]).toEqual([
      401,
      { success: false, error: { code: 'NOT_AUTHENTICATED', message: 'Not authenticated' } },
    ]);
    expect(headers.get('www-authenticate')).toBe(challenge());
    expect(headers.get('cache-control')).toBe('private, no-store');
  });

  it('gets the configured address, whatever its headers say', async () => {
    const forged = {
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'https',
      forwarded: 'host=evil.example;proto=https',
      origin: 'https://evil.example',
    };
    expect((await send(forged)).headers.get('www-authenticate')).toBe(challenge());
  });

  it.each(['', '{', '[]', 'x'.repeat(10_000)])('is 401 whatever its body is', async (rawBody) => {
    const response = await site.anonymous().post('/mcp', undefined, { rawBody });
    expect(statusAndCode(response)).toEqual([401, 'NOT_AUTHENTICATED']);
  });

  it('is 401 with a session cookie, with the CSRF header or without', async () => {
    const signedIn = await site.signedIn('admin');
    expect(await statusOf(signedIn)).toEqual([401, 'NOT_AUTHENTICATED']);
    const headers = { 'x-cms-request': undefined };
    const response = await signedIn.post('/mcp', ping, { headers });
    expect(statusAndCode(response)).toEqual([401, 'NOT_AUTHENTICATED']);
    expect(response.headers.get('www-authenticate')).toBe(challenge());
  });

  it.each(['access_token', 'token', 'authorization'])('is 401 with the token as ?%s=', async (name) => {
    const value = name === 'authorization' ? `Bearer%20${editor.token}` : editor.token;
    expect(statusAndCode(await send({}, `/mcp?${name}=${value}`))).toEqual([401, 'NOT_AUTHENTICATED']);
  });

  it('is 401 with the token in a form or a body', async () => {
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    for (const [headers, rawBody] of [
      [form, `access_token=${editor.token}`],
      [{ 'content-type': 'application/json' }, JSON.stringify({ ...ping, access_token: editor.token })],
    ] as const)
      expect(statusAndCode(await site.anonymous().post('/mcp', undefined, { headers, rawBody }))).toEqual([
        401,
        'NOT_AUTHENTICATED',
      ]);
  });

  it('is 405 for GET, which clients take as a missing event stream', async () => {
    expect((await site.anonymous().get('/mcp')).status).toBe(405);
  });
});

describe('an invalid token (contract 14)', () => {
  it.each([
    ['an unknown token', `Bearer ec_pat_${'x'.repeat(43)}`],
    ['an unknown token of an application', `Bearer ec_oat_${'x'.repeat(43)}`],
    ['no token', 'Bearer'],
    ['an empty token', 'Bearer  '],
    ['two tokens', 'Bearer a b'],
    ['another scheme', 'Basic dTpw'],
    ['a token without a scheme', 'ec_pat_x'],
  ])('is 401 INVALID_TOKEN: %s', async (_, authorization) => {
    const response = await send({ authorization });
    expect(statusAndCode(response)).toEqual(invalidToken);
    expect(response.headers.get('www-authenticate')).toBe(challenge());
  });

  it('does not fall back to a session cookie', async () => {
    const headers = { authorization: 'Bearer ec_pat_wrong' };
    const response = await (await site.signedIn('admin')).post('/mcp', ping, { headers });
    expect(statusAndCode(response)).toEqual(invalidToken);
  });

  it('is 401 for the token of another site', async () => {
    const other = await openSite();
    const theirs = await other.as('admin');
    expect(await statusOf(site.withToken(String(theirs.token)))).toEqual(invalidToken);
    expect(await statusOf(theirs)).toEqual([200, '']);
    await other.close();
  });

  it('is 401 for a refresh token, a code and a session', async () => {
    const browser = await site.signedIn('editor');
    const tokens = await application.tokens(browser);
    expect(await statusOf(site.withToken(tokens.access_token))).toEqual([200, '']);
    const code = await application.code(browser);
    for (const secret of [tokens.refresh_token, code, String(browser.session)])
      expect(await statusOf(site.withToken(secret))).toEqual(invalidToken);
  });

  it('is 401 after its expiry', async () => {
    const client = await site.another('editor', 'expired');
    const hash = createHash('sha256').update(String(client.token)).digest('hex');
    await site.sql("UPDATE api_tokens SET expires_at = now() - interval '1 second' WHERE token_hash = $1", [
      hash,
    ]);
    expect(await statusOf(client)).toEqual(invalidToken);
  });
});

describe('a valid token (contract 14)', () => {
  it.each(['Bearer', 'bearer', 'BEARER'])('is accepted after the scheme %s', async (scheme) => {
    expect((await send({ authorization: `${scheme} ${editor.token}` })).status).toBe(200);
  });

  it('connects and lists with any scope; a missing one is a failure of the tool with status 200', async () => {
    const client = await site.withScopes('subscriber', ['media:read']);
    const version = { protocolVersion: '2025-11-25' };
    expect((await rpc(client, 'initialize', version)).status).toBe(200);
    expect(resultOf(await rpc(client, 'tools/list')).tools.length).toBeGreaterThan(0);
    const response = await client.post('/mcp', toolCall('menu_list'));
    expect(response.status).toBe(200);
    expect(resultOf(response)).toMatchObject({ isError: true, _meta: { code: 'INSUFFICIENT_SCOPE' } });
  });

  it('needs no CSRF header, from any origin', async () => {
    const headers = { origin: 'https://elsewhere.example' };
    expect((await rpc(editor, 'ping', {}, { headers })).status).toBe(200);
  });
});

describe('a change of a credential (contract 14)', () => {
  it('revokes a personal token at the next request', async () => {
    const admin = await site.signedIn('admin');
    const { data } = await admin.post('/admin/api-tokens', { name: 'Agent', scopes: ['content:read'] });
    const client = site.withToken(data.token);
    expect(await statusOf(client)).toEqual([200, '']);
    expect((await admin.delete(`/admin/api-tokens/${data.info.id}`)).status).toBe(200);
    expect(await whenChanged(client)).toEqual(invalidToken);
  });

  it('revokes the token of an application at the next request', async () => {
    const tokens = await application.tokens(await site.signedIn('editor'));
    const client = site.withToken(tokens.access_token);
    expect(await statusOf(client)).toEqual([200, '']);
    await site.anonymous().post('/oauth/token/revoke', { token: tokens.refresh_token });
    expect(await whenChanged(client)).toEqual(invalidToken);
  });

  it('applies a lower role and a disabled account at the next request', async () => {
    const admin = await site.signedIn('admin');
    const client = await site.another('editor', 'demoted');
    const { id } = (await client.get('/auth/me')).data;
    const create = () => callTool(client, 'menu_create', { name: 'one', label: 'One' });
    expect((await create()).isError).toBe(false);
    expect((await admin.put(`/admin/users/${id}`, { role: 10 })).status).toBe(200);
    const { code } = await eventually(create, (result) => result.code === 'INSUFFICIENT_PERMISSIONS');
    expect(code).toBe('INSUFFICIENT_PERMISSIONS');
    expect((await admin.post(`/admin/users/${id}/disable`)).status).toBe(200);
    expect(await whenChanged(client)).toEqual(invalidToken);
  });
});
