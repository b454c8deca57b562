import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { openApplication, useSite, type Application, type Client } from '@quire/testing';

const site = useSite();
let browser: Client;
let application: Application;

beforeAll(async () => {
  browser = await site.signedIn('editor');
  await site.collection();
});
beforeEach(async () => void (application = await openApplication(site)));

/** Headers of a browser application of another origin that sends its expired token with every request. */
const stale = { authorization: 'Bearer ec_oat_replaced-long-ago', origin: 'https://app.example' };
const post = (path: string, body: object, headers: Record<string, string>) =>
  site.anonymous().post(path, body, { headers });

describe('OAuth endpoints use only the credentials in the body (mcp-tools 15)', () => {
  it('refreshes for a client that still sends the expired access token', async () => {
    const { refresh_token } = await application.tokens(browser);
    const body = { grant_type: 'refresh_token', refresh_token };
    const { status, headers } = await post('/oauth/token', body, stale);
    expect([status, headers.get('access-control-allow-origin')]).toEqual([200, '*']);
    expect((await post('/oauth/token/refresh', body, stale)).status).toBe(200);
  });

  it('returns protocol errors with any credential', async () => {
    const { status, body } = await post(
      '/oauth/token',
      { grant_type: 'refresh_token', refresh_token: 'unknown' },
      { authorization: 'Basic eDp5' },
    );
    expect([status, body]).toMatchObject([400, { error: 'invalid_grant' }]);
    const metadata = { redirect_uris: ['https://app.example/callback'], client_name: 'App' };
    expect((await post('/oauth/register', metadata, stale)).status).toBe(201);
  });

  it('revokes a token for an application of another origin', async () => {
    const { refresh_token } = await application.tokens(browser);
    const response = await post('/oauth/token/revoke', { token: refresh_token }, stale);
    expect([response.status, response.data]).toEqual([200, { revoked: true }]);
    const rejected = await application.refresh(refresh_token);
    expect([rejected.status, rejected.body]).toMatchObject([400, { error: 'invalid_grant' }]);
  });
});

describe('POST /oauth/token with an authorization code', () => {
  it.each([
    ['no verifier', { code_verifier: undefined }],
    ['a malformed verifier', { code_verifier: 'short' }],
    ['no address', { redirect_uri: undefined }],
    ['no client', { client_id: undefined }],
  ])('consumes the code in a request with %s (mcp-tools 15)', async (_, changes) => {
    const code = await application.code(browser);
    const rejected = await application.exchange(code, changes);
    expect([rejected.status, rejected.body]).toMatchObject([400, { error: 'invalid_request' }]);
    const again = await application.exchange(code);
    expect([again.status, again.body]).toMatchObject([400, { error: 'invalid_grant' }]);
  });
});
