import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  openApplication,
  openSite,
  statusAndCode,
  type Application,
  type Client,
  type Site,
} from '@quire/testing';
import { invalidGrant, createSignedInUser, read, oauthError, waitUntilRevoked } from './support/tokens.js';

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

interface Tokens {
  access_token: string;
  refresh_token: string;
}
/** Refreshes with success. */
async function refreshed(token: string): Promise<Tokens> {
  const { status, body } = await application.refresh(token);
  expect(status).toBe(200);
  return body as Tokens;
}
/** Makes it so long ago that the application refreshed last. */
const letPass = (seconds: number) =>
  site.sql(
    'UPDATE oauth_grants SET refreshed_at = refreshed_at - make_interval(secs => $2) WHERE client_id = $1',
    [application.id, seconds],
  );

describe('a refresh token (contract 32)', () => {
  it('gives new tokens in place of the old ones', async () => {
    const { access_token, refresh_token } = await application.tokens(browser);
    expect(await read(site, access_token)).toEqual([200, '']);
    const answer = await application.refresh(refresh_token);
    expect([answer.status, answer.body]).toMatchObject([200, { expires_in: 3600, scope: 'content:read' }]);
    const next = answer.body as Tokens;
    expect(next.access_token).not.toBe(access_token);
    expect(next.refresh_token).toMatch(/^ec_ort_[\w-]{43}$/);
    expect(next.refresh_token).not.toBe(refresh_token);
    expect(await waitUntilRevoked(site, access_token)).toEqual([401, 'INVALID_TOKEN']);
    expect(await read(site, next.access_token)).toEqual([200, '']);
    expect((await application.refresh(next.refresh_token, { client_id: undefined })).status).toBe(200);
  });

  it('returns the same successor for a minute after it was replaced', async () => {
    const { refresh_token } = await application.tokens(browser);
    const first = await refreshed(refresh_token);
    await letPass(55);
    const again = await refreshed(refresh_token);
    expect(again.refresh_token).toBe(first.refresh_token);
    expect(await read(site, again.access_token)).toEqual([200, '']);
    expect((await refreshed(first.refresh_token)).refresh_token).not.toBe(first.refresh_token);
  });

  it.each([
    ['a minute after it was replaced', () => letPass(61)],
    ['once its successor was used', async (successor: string) => void (await refreshed(successor))],
  ])('revokes its grant and audits it when used %s', async (_, happens) => {
    const { refresh_token } = await application.tokens(browser);
    const next = await refreshed(refresh_token);
    await happens(next.refresh_token);
    const present = await site.sql<{ id: string }>('SELECT id FROM oauth_grants WHERE client_id = $1', [
      application.id,
    ]);
    expect(oauthError(await application.refresh(refresh_token))).toEqual(invalidGrant);
    expect(oauthError(await application.refresh(next.refresh_token))).toEqual(invalidGrant);
    expect(await waitUntilRevoked(site, next.access_token)).toEqual([401, 'INVALID_TOKEN']);
    const events = (await (await site.as('admin')).get('/admin/audit-log?action=grant.ended')).data.items;
    expect(events[0]).toMatchObject({
      target: { type: 'grant', id: present[0]?.id },
      details: { reason: 'token-reused' },
    });
  });

  it('issued before rotation existed is rotated from now on', async () => {
    const { refresh_token } = await application.tokens(browser);
    await site.sql('UPDATE oauth_grants SET family_hash = refresh_hash WHERE client_id = $1', [
      application.id,
    ]);
    const next = await refreshed(refresh_token);
    await refreshed(next.refresh_token);
    expect(oauthError(await application.refresh(refresh_token))).toEqual(invalidGrant);
  });

  it('expires after ninety days', async () => {
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
    const next = await refreshed(refresh_token);
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

  it('is limited to the present role and client scopes', async () => {
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

  it('can request fewer scopes, not more', async () => {
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

  it('of a disabled user is revoked permanently, with all grants of the user', async () => {
    const { signedIn, email } = await createSignedInUser(site, 'editor', 'leaving');
    const [first, second] = [await application.tokens(signedIn), await application.tokens(signedIn)];
    await site.sql('UPDATE users SET disabled = true WHERE email = $1', [email]);
    expect(oauthError(await application.refresh(first.refresh_token))).toEqual(invalidGrant);
    await site.sql('UPDATE users SET disabled = false WHERE email = $1', [email]);
    expect(oauthError(await application.refresh(second.refresh_token))).toEqual(invalidGrant);
    expect(await read(site, second.access_token)).toEqual([401, 'INVALID_TOKEN']);
  });

  it('leaves one access token and one refresh token after concurrent use', async () => {
    const { refresh_token } = await application.tokens(browser);
    const answers = await Promise.all(Array.from({ length: 5 }, () => refreshed(refresh_token)));
    expect(new Set(answers.map((tokens) => tokens.refresh_token)).size).toBe(1);
    const tokens = answers.map(({ access_token }) => access_token);
    expect(new Set(tokens).size).toBe(5);
    const states = await Promise.all(tokens.map((token) => read(site, token)));
    expect(states.filter(([status]) => status === 200)).toHaveLength(1);
  });

  it('may be sent to an endpoint of its own, in the envelope', async () => {
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

describe('revoking (contract 32)', () => {
  const revoke = (token: string) => site.anonymous().post('/oauth/token/revoke', { token });

  it('a refresh token ends its access token at once', async () => {
    const { access_token, refresh_token } = await application.tokens(browser);
    expect(await read(site, access_token)).toEqual([200, '']);
    const answer = await revoke(refresh_token);
    expect([answer.status, answer.data]).toEqual([200, { revoked: true }]);
    expect(await waitUntilRevoked(site, access_token)).toEqual([401, 'INVALID_TOKEN']);
    expect(oauthError(await application.refresh(refresh_token))).toEqual(invalidGrant);
  });

  it('a refresh token that was replaced ends its successor', async () => {
    const { refresh_token } = await application.tokens(browser);
    const next = await refreshed(refresh_token);
    await revoke(refresh_token);
    expect(oauthError(await application.refresh(next.refresh_token))).toEqual(invalidGrant);
  });

  it('an access token leaves the refresh token', async () => {
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

  it('returns 400 without a token', async () => {
    expect(statusAndCode(await site.anonymous().post('/oauth/token/revoke', {}))).toEqual([
      400,
      'VALIDATION_ERROR',
    ]);
  });
});
