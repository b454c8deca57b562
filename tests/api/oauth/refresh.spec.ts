import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { openApplication, statusAndCode, useSite, type Application, type Client } from '@quire/testing';
import { invalidGrant, createSignedInUser, read, oauthError, waitUntilRevoked } from './support.js';

const site = useSite();
let browser: Client;
let application: Application;

beforeAll(async () => {
  browser = await site.signedIn('editor');
  await site.collection();
});
beforeEach(async () => void (application = await openApplication(site)));

interface Tokens {
  access_token: string;
  refresh_token: string;
}
/** Refreshes and expects success. */
async function refresh(token: string): Promise<Tokens> {
  const { status, body } = await application.refresh(token);
  expect(status).toBe(200);
  return body as Tokens;
}
/** Moves the last refresh of the application into the past. */
const letPass = (seconds: number) =>
  site.sql(
    'UPDATE oauth_grants SET refreshed_at = refreshed_at - make_interval(secs => $2) WHERE client_id = $1',
    [application.id, seconds],
  );

describe('POST /oauth/token with a refresh token (contract 32)', () => {
  it('replaces both tokens', async () => {
    const { access_token, refresh_token } = await application.tokens(browser);
    expect(await read(site, access_token)).toEqual([200, '']);
    const response = await application.refresh(refresh_token);
    expect([response.status, response.body]).toMatchObject([
      200,
      { expires_in: 3600, scope: 'content:read' },
    ]);
    const next = response.body as Tokens;
    expect(next.access_token).not.toBe(access_token);
    expect(next.refresh_token).toMatch(/^ec_ort_[\w-]{43}$/);
    expect(next.refresh_token).not.toBe(refresh_token);
    expect(await waitUntilRevoked(site, access_token)).toEqual([401, 'INVALID_TOKEN']);
    expect(await read(site, next.access_token)).toEqual([200, '']);
    expect((await application.refresh(next.refresh_token, { client_id: undefined })).status).toBe(200);
  });

  it('returns the same successor for a minute after the rotation', async () => {
    const { refresh_token } = await application.tokens(browser);
    const first = await refresh(refresh_token);
    await letPass(55);
    const again = await refresh(refresh_token);
    expect(again.refresh_token).toBe(first.refresh_token);
    expect(await read(site, again.access_token)).toEqual([200, '']);
    expect((await refresh(first.refresh_token)).refresh_token).not.toBe(first.refresh_token);
  });

  it.each([
    ['a minute after its rotation', () => letPass(61)],
    ['once its successor was used', async (successor: string) => void (await refresh(successor))],
  ])('revokes the grant and audits it for a token used %s', async (_, prepare) => {
    const { refresh_token } = await application.tokens(browser);
    const next = await refresh(refresh_token);
    await prepare(next.refresh_token);
    const before = await site.sql<{ id: string }>('SELECT id FROM oauth_grants WHERE client_id = $1', [
      application.id,
    ]);
    expect(oauthError(await application.refresh(refresh_token))).toEqual(invalidGrant);
    expect(oauthError(await application.refresh(next.refresh_token))).toEqual(invalidGrant);
    expect(await waitUntilRevoked(site, next.access_token)).toEqual([401, 'INVALID_TOKEN']);
    const events = (await (await site.as('admin')).get('/admin/audit-log?action=grant.ended')).data.items;
    expect(events[0]).toMatchObject({
      target: { type: 'grant', id: before[0]?.id },
      details: { reason: 'token-reused' },
    });
  });

  it('rotates a token that was issued before rotation existed', async () => {
    const { refresh_token } = await application.tokens(browser);
    await site.sql('UPDATE oauth_grants SET family_hash = refresh_hash WHERE client_id = $1', [
      application.id,
    ]);
    const next = await refresh(refresh_token);
    await refresh(next.refresh_token);
    expect(oauthError(await application.refresh(refresh_token))).toEqual(invalidGrant);
  });

  it('returns invalid_grant after 90 days without a refresh', async () => {
    const { refresh_token } = await application.tokens(browser);
    const expiry = async () => {
      const [row] = await site.sql<{ days: number }>(
        'SELECT round(extract(epoch FROM refresh_expires_at - now()) / 86400)::integer AS days FROM oauth_grants WHERE client_id = $1',
        [application.id],
      );
      return row?.days;
    };
    const letExpireIn = (time: string) =>
      site.sql('UPDATE oauth_grants SET refresh_expires_at = now() + $2::interval WHERE client_id = $1', [
        application.id,
        time,
      ]);
    expect(await expiry()).toBe(90);
    await letExpireIn('1 day');
    const next = await refresh(refresh_token);
    expect(await expiry()).toBe(90);
    await letExpireIn('-1 second');
    expect(oauthError(await application.refresh(next.refresh_token))).toEqual(invalidGrant);
    await application.tokens(browser);
    expect(await site.sql('SELECT id FROM oauth_grants WHERE refresh_expires_at < now()')).toEqual([]);
  });

  it('returns invalid_grant to another application, and for an access token', async () => {
    const other = await openApplication(site);
    const { access_token, refresh_token } = await application.tokens(browser);
    expect(oauthError(await other.refresh(refresh_token))).toEqual(invalidGrant);
    expect(oauthError(await application.refresh(access_token))).toEqual(invalidGrant);
    expect((await application.refresh(refresh_token)).status).toBe(200);
  });

  it('limits the scopes to the current role and client', async () => {
    const { signedIn, email } = await createSignedInUser(site, 'admin', 'changing');
    const { refresh_token } = await application.tokens(signedIn, 'admin content:read media:read');
    await site.sql('UPDATE users SET role = 30 WHERE email = $1', [email]);
    expect((await application.refresh(refresh_token)).body).toMatchObject({
      scope: 'content:read media:read',
    });
    const admin = await site.as('admin');
    await admin.put(`/admin/oauth-clients/${application.id}`, { scopes: ['media:read', 'admin'] });
    expect((await application.refresh(refresh_token)).body).toMatchObject({ scope: 'media:read' });
    await admin.put(`/admin/oauth-clients/${application.id}`, { scopes: ['admin'] });
    expect(oauthError(await application.refresh(refresh_token))).toEqual(invalidGrant);
  });

  it('narrows the scopes but does not widen them', async () => {
    const { refresh_token } = await application.tokens(browser, 'content:read media:read');
    expect((await application.refresh(refresh_token, { scope: 'media:read' })).body).toMatchObject({
      scope: 'media:read',
    });
    expect(oauthError(await application.refresh(refresh_token, { scope: 'media:write' }))).toEqual([
      400,
      'invalid_scope',
    ]);
    expect((await application.refresh(refresh_token)).body).toMatchObject({
      scope: 'content:read media:read',
    });
  });

  it('revokes all grants of a disabled user permanently', async () => {
    const { signedIn, email } = await createSignedInUser(site, 'editor', 'leaving');
    const [first, second] = [await application.tokens(signedIn), await application.tokens(signedIn)];
    await site.sql('UPDATE users SET disabled = true WHERE email = $1', [email]);
    expect(oauthError(await application.refresh(first.refresh_token))).toEqual(invalidGrant);
    await site.sql('UPDATE users SET disabled = false WHERE email = $1', [email]);
    expect(oauthError(await application.refresh(second.refresh_token))).toEqual(invalidGrant);
    expect(await read(site, second.access_token)).toEqual([401, 'INVALID_TOKEN']);
  });

  it('leaves one valid access token and one refresh token after concurrent requests', async () => {
    const { refresh_token } = await application.tokens(browser);
    const responses = await Promise.all(Array.from({ length: 5 }, () => refresh(refresh_token)));
    expect(new Set(responses.map((tokens) => tokens.refresh_token)).size).toBe(1);
    const tokens = responses.map(({ access_token }) => access_token);
    expect(new Set(tokens).size).toBe(5);
    const states = await Promise.all(tokens.map((token) => read(site, token)));
    expect(states.filter(([status]) => status === 200)).toHaveLength(1);
  });

  it('is also available as POST /oauth/token/refresh, in the envelope', async () => {
    const { refresh_token } = await application.tokens(browser);
    const send = (token: string) =>
      site.anonymous().post('/oauth/token/refresh', { grant_type: 'refresh_token', refresh_token: token });
    expect((await send(refresh_token)).data).toMatchObject({
      refresh_token: expect.stringMatching(/^ec_ort_/),
      token_type: 'Bearer',
    });
    expect(statusAndCode(await send('ec_ort_x'))).toEqual([400, 'INVALID_GRANT']);
    expect(statusAndCode(await site.anonymous().post('/oauth/token/refresh', { refresh_token }))).toEqual([
      400,
      'VALIDATION_ERROR',
    ]);
  });
});

describe('POST /oauth/token/revoke (contract 32)', () => {
  const revoke = (token: string) => site.anonymous().post('/oauth/token/revoke', { token });

  it('of a refresh token revokes its access token at once', async () => {
    const { access_token, refresh_token } = await application.tokens(browser);
    expect(await read(site, access_token)).toEqual([200, '']);
    const response = await revoke(refresh_token);
    expect([response.status, response.data]).toEqual([200, { revoked: true }]);
    expect(await waitUntilRevoked(site, access_token)).toEqual([401, 'INVALID_TOKEN']);
    expect(oauthError(await application.refresh(refresh_token))).toEqual(invalidGrant);
  });

  it('of a replaced refresh token revokes its successor', async () => {
    const { refresh_token } = await application.tokens(browser);
    const next = await refresh(refresh_token);
    await revoke(refresh_token);
    expect(oauthError(await application.refresh(next.refresh_token))).toEqual(invalidGrant);
  });

  it('of an access token keeps the refresh token', async () => {
    const { access_token, refresh_token } = await application.tokens(browser);
    await read(site, access_token);
    expect((await revoke(access_token)).data).toEqual({ revoked: true });
    expect(await waitUntilRevoked(site, access_token)).toEqual([401, 'INVALID_TOKEN']);
    expect((await application.refresh(refresh_token)).status).toBe(200);
  });

  it('succeeds for an unknown token and leaves personal tokens valid', async () => {
    const admin = await site.as('admin');
    for (const token of ['ec_ort_x', '', String(admin.token)])
      expect((await revoke(token)).data).toEqual({ revoked: true });
    expect((await admin.get('/auth/me')).status).toBe(200);
  });

  it('returns 400 VALIDATION_ERROR without a token', async () => {
    expect(statusAndCode(await site.anonymous().post('/oauth/token/revoke', {}))).toEqual([
      400,
      'VALIDATION_ERROR',
    ]);
  });
});
