import { createHash } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  openApplication,
  openSite,
  statusAndCode,
  useSite,
  type Application,
  type Client,
} from '@quire/testing';
import { invalidGrant, createSignedInUser, read, oauthError, waitUntilRevoked } from './support.js';

const site = useSite();
let browser: Client;
let application: Application;

beforeAll(async () => {
  browser = await site.signedIn('editor');
  await site.collection();
});
beforeEach(async () => void (application = await openApplication(site)));

const json = { headers: { 'content-type': 'application/json' } };

describe('POST /oauth/token with an authorization code (contract 32)', () => {
  it('returns working tokens in an uncacheable response', async () => {
    const response = await application.exchange(
      await application.code(browser, 'content:read content:write'),
    );
    expect([response.status, response.body]).toEqual([
      200,
      {
        access_token: expect.stringMatching(/^ec_oat_[\w-]{43}$/),
        refresh_token: expect.stringMatching(/^ec_ort_[\w-]{43}$/),
        token_type: 'Bearer',
        expires_in: 3600,
        scope: 'content:read content:write',
      },
    ]);
    expect([
      response.headers.get('cache-control'),
      response.headers.get('pragma'),
      response.headers.get('access-control-allow-origin'),
    ]).toEqual(['no-store', 'no-cache', '*']);
    const { access_token } = response.body as { access_token: string };
    expect(await read(site, access_token)).toEqual([200, '']);
  });

  it('accepts JSON from any origin and ignores cookies', async () => {
    const body = {
      grant_type: 'authorization_code',
      code: await application.code(browser),
      client_id: application.id,
      redirect_uri: application.redirectUri,
      code_verifier: application.verifier,
    };
    const headers = { origin: 'https://elsewhere.example', 'x-cms-request': undefined };
    expect((await browser.post('/oauth/token', body, { headers })).status).toBe(200);
    const preflight = await site.anonymous().options('/oauth/token');
    expect([preflight.status, preflight.headers.get('access-control-max-age')]).toEqual([204, '86400']);
  });

  it.each([
    ['another verifier', { code_verifier: 'x'.repeat(43) }],
    ['another client', { client_id: 'other' }],
    ['another address', { redirect_uri: 'https://app.example/other' }],
  ])('returns invalid_grant and consumes the code for %s', async (_, changes) => {
    const code = await application.code(browser);
    expect(oauthError(await application.exchange(code, changes))).toEqual(invalidGrant);
    expect(oauthError(await application.exchange(code))).toEqual(invalidGrant);
  });

  it('returns invalid_grant to another registered application', async () => {
    const other = await openApplication(site);
    const code = await application.code(browser);
    expect(oauthError(await other.exchange(code, { code_verifier: application.verifier }))).toEqual(
      invalidGrant,
    );
  });

  it('accepts the MCP server as the resource, requested before or not', async () => {
    const resource = `http://${site.host}/_cms/api/mcp`;
    const codeFor = async () => {
      const { send } = await application.requestConsent(browser, { resource });
      return new URL((await send()).headers.get('location') ?? '').searchParams.get('code') ?? '';
    };
    expect((await application.exchange(await codeFor(), { resource })).status).toBe(200);
    expect((await application.exchange(await codeFor())).status).toBe(200);
    const tokens = await application.exchange(await application.code(browser), { resource });
    expect(tokens.status).toBe(200);
    const { refresh_token } = tokens.body as { refresh_token: string };
    expect((await application.refresh(refresh_token, { resource })).status).toBe(200);
  });

  it.each(['https://other.example/mcp', 'https://other.example/_cms/api/mcp', 'x'])(
    'returns invalid_target for the resource %s, and consumes the code',
    async (resource) => {
      const invalidTarget = [400, 'invalid_target'];
      const code = await application.code(browser);
      expect(oauthError(await application.exchange(code, { resource }))).toEqual(invalidTarget);
      expect(oauthError(await application.exchange(code))).toEqual(invalidGrant);
      const { refresh_token } = await application.tokens(browser);
      expect(oauthError(await application.refresh(refresh_token, { resource }))).toEqual(invalidTarget);
      expect((await application.refresh(refresh_token)).status).toBe(200);
    },
  );

  it('returns invalid_grant for a code older than 10 minutes', async () => {
    const code = await application.code(browser);
    const hash = createHash('sha256').update(code).digest('hex');
    const [row] = await site.sql<{ minutes: number }>(
      'SELECT round(extract(epoch FROM expires_at - now()) / 60)::integer AS minutes FROM oauth_codes WHERE code_hash = $1',
      [hash],
    );
    expect(row?.minutes).toBe(10);
    await site.sql("UPDATE oauth_codes SET expires_at = now() - interval '1 second' WHERE code_hash = $1", [
      hash,
    ]);
    expect(oauthError(await application.exchange(code))).toEqual(invalidGrant);
  });

  it('revokes the tokens of a code that is presented again', async () => {
    const code = await application.code(browser);
    const { access_token, refresh_token } = (await application.exchange(code)).body as Record<string, string>;
    expect(await read(site, String(access_token))).toEqual([200, '']);
    expect(oauthError(await application.exchange(code, { code_verifier: 'x'.repeat(43) }))).toEqual(
      invalidGrant,
    );
    expect(await waitUntilRevoked(site, String(access_token))).toEqual([401, 'INVALID_TOKEN']);
    expect(oauthError(await application.refresh(String(refresh_token)))).toEqual(invalidGrant);
  });

  it('issues tokens once for concurrent requests and revokes them', async () => {
    const code = await application.code(browser);
    const responses = await Promise.all(Array.from({ length: 6 }, () => application.exchange(code)));
    const granted = responses.filter(({ status }) => status === 200);
    expect(granted).toHaveLength(1);
    expect(responses.filter(({ status }) => status !== 200).map(oauthError)).toEqual(
      Array(5).fill(invalidGrant),
    );
    const { access_token } = granted[0]?.body as { access_token: string };
    expect(await waitUntilRevoked(site, access_token)).toEqual([401, 'INVALID_TOKEN']);
  });

  it('returns invalid_grant when the user was disabled or demoted', async () => {
    const { signedIn, email } = await createSignedInUser(site, 'admin', 'demoted');
    const codes = [
      await application.code(signedIn, 'admin'),
      await application.code(signedIn, 'admin content:read'),
    ];
    await site.sql('UPDATE users SET role = 20 WHERE email = $1', [email]);
    expect(oauthError(await application.exchange(codes[0] ?? ''))).toEqual(invalidGrant);
    expect((await application.exchange(codes[1] ?? '')).body).toMatchObject({ scope: 'content:read' });
    const disabled = await createSignedInUser(site, 'admin', 'disabled-early');
    const code = await application.code(disabled.signedIn);
    await site.sql('UPDATE users SET disabled = true WHERE email = $1', [disabled.email]);
    expect(oauthError(await application.exchange(code))).toEqual(invalidGrant);
  });

  it('stores codes and tokens only as hashes', async () => {
    const code = await application.code(browser);
    expect(JSON.stringify(await site.sql('SELECT * FROM oauth_codes'))).not.toContain(code);
    const tokens = (await application.exchange(code)).body as Record<string, string>;
    const rows = JSON.stringify(await site.sql('SELECT * FROM oauth_grants'));
    for (const secret of [code, tokens['access_token'], tokens['refresh_token']])
      expect(rows).not.toContain(secret);
  });
});

describe('POST /oauth/token', () => {
  it.each([
    ['invalid_request', {}],
    ['invalid_request', { grant_type: 'authorization_code' }],
    ['invalid_request', { grant_type: 'refresh_token' }],
    ['invalid_request', { grant_type: 'urn:ietf:params:oauth:grant-type:device_code' }],
    ['invalid_request', { grant_type: 'refresh_token', refresh_token: 7 }],
    ['invalid_request', { grant_type: 'refresh_token', refresh_token: 'x'.repeat(501) }],
    ['invalid_request', { grant_type: 'refresh_token', refresh_token: 'a\u0000' }],
    ['unsupported_grant_type', { grant_type: 'password', username: 'a', password: 'b' }],
    ['unsupported_grant_type', { grant_type: 'client_credentials' }],
    ['invalid_grant', { grant_type: 'refresh_token', refresh_token: 'ec_ort_unknown' }],
  ])('returns %s without the envelope for %j', async (error, body) => {
    const response = await site.anonymous().post('/oauth/token', body);
    expect([response.status, response.body]).toEqual([
      400,
      { error, error_description: expect.stringMatching(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/) },
    ]);
    expect([response.headers.get('cache-control'), response.headers.get('pragma')]).toEqual([
      'no-store',
      'no-cache',
    ]);
  });

  it.each([['{'], ['null'], ['']])('returns invalid_request for the body %j', async (rawBody) => {
    const response = await site.anonymous().post('/oauth/token', undefined, { ...json, rawBody });
    expect(oauthError(response)).toEqual([400, 'invalid_request']);
  });

  it('returns invalid_request for a malformed verifier and for a repeated parameter', async () => {
    const code = await application.code(browser);
    for (const code_verifier of ['short', 'x'.repeat(129), `${'x'.repeat(42)} `])
      expect(oauthError(await application.exchange(code, { code_verifier }))).toEqual([
        400,
        'invalid_request',
      ]);
    const twice = await site.anonymous().post('/oauth/token', undefined, {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      rawBody: 'grant_type=refresh_token&refresh_token=a&refresh_token=b',
    });
    expect(oauthError(twice)).toEqual([400, 'invalid_request']);
  });
});

describe('access tokens', () => {
  it('are limited by their scopes and the current role of the user', async () => {
    const { signedIn, email } = await createSignedInUser(site, 'editor', 'sinking');
    const { access_token } = await application.tokens(signedIn, 'content:read content:write');
    await site.sql('UPDATE users SET role = 10 WHERE email = $1', [email]);
    const client = site.withToken(access_token);
    expect(statusAndCode(await client.post('/content/posts', { data: {} }))).toEqual([403, 'FORBIDDEN']);
    expect(statusAndCode(await client.get('/schema/collections'))).toEqual([403, 'INSUFFICIENT_SCOPE']);
    const writing = await application.tokens(browser, 'content:write');
    expect(statusAndCode(await site.withToken(writing.access_token).get('/content/posts'))).toEqual([
      403,
      'INSUFFICIENT_SCOPE',
    ]);
  });

  it('with content:write allow to manage menus', async () => {
    const { access_token } = await application.tokens(browser, 'content:write');
    const created = await site.withToken(access_token).post('/menus', { name: 'main', label: 'Main' });
    expect(created.status).toBe(201);
  });

  it('expire after an hour', async () => {
    const { access_token } = await application.tokens(browser);
    const hash = createHash('sha256').update(access_token).digest('hex');
    await site.sql(
      "UPDATE oauth_grants SET access_expires_at = now() - interval '1 second' WHERE access_hash = $1",
      [hash],
    );
    expect(await read(site, access_token)).toEqual([401, 'INVALID_TOKEN']);
  });

  it('return 401 for a disabled user, another site, or a refresh token', async () => {
    const { signedIn, email } = await createSignedInUser(site, 'editor', 'disabled');
    const { access_token } = await application.tokens(signedIn);
    await site.sql('UPDATE users SET disabled = true WHERE email = $1', [email]);
    expect(await read(site, access_token)).toEqual([401, 'INVALID_TOKEN']);
    const { access_token: ownToken, refresh_token } = await application.tokens(browser);
    expect(await read(site, refresh_token)).toEqual([401, 'INVALID_TOKEN']);
    const other = await openSite();
    expect(statusAndCode(await other.withToken(ownToken).get('/content/posts'))).toEqual([
      401,
      'INVALID_TOKEN',
    ]);
    await other.close();
  });
});
