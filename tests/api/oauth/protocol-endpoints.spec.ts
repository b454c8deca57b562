import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { openApplication, openSite, type Application, type Client, type Site } from '@quire/testing';

let site: Site;
let browser: Client;
let application: Application;

beforeAll(async () => {
  site = await openSite();
  browser = await site.signedIn('editor');
  await site.collection();
});
beforeEach(async () => void (application = await openApplication(site)));
afterAll(() => site.close());

/** A browser application of another origin that sends the token it had, as many do with every request. */
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

  it('returns protocol errors whatever credential is sent', async () => {
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
    const answer = await post('/oauth/token/revoke', { token: refresh_token }, stale);
    expect([answer.status, answer.data]).toEqual([200, { revoked: true }]);
    const refused = await application.refresh(refresh_token);
    expect([refused.status, refused.body]).toMatchObject([400, { error: 'invalid_grant' }]);
  });
});

describe('an authorization code', () => {
  it.each([
    ['no verifier', { code_verifier: undefined }],
    ['a verifier that cannot be one', { code_verifier: 'short' }],
    ['no address', { redirect_uri: undefined }],
    ['no client', { client_id: undefined }],
  ])('is consumed by a request with %s (mcp-tools 15)', async (_, changes) => {
    const code = await application.code(browser);
    const refused = await application.exchange(code, changes);
    expect([refused.status, refused.body]).toMatchObject([400, { error: 'invalid_request' }]);
    const again = await application.exchange(code);
    expect([again.status, again.body]).toMatchObject([400, { error: 'invalid_grant' }]);
  });
});
