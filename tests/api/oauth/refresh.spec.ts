import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  eventually,
  openApplication,
  openSite,
  outcome,
  type Answer,
  type Application,
  type Client,
  type Site,
} from '@quire/testing';

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

const read = async (token: string) => outcome(await site.withToken(token).get('/content/posts'));
/** Asks until a token is refused: its end has to reach every process. */
const untilEnded = (token: string) =>
  eventually(
    () => read(token),
    ([status]) => status !== 200,
  );
const refusal = ({ status, body }: Answer) => [status, (body as { error: unknown }).error];
const invalidGrant = [400, 'invalid_grant'];
const newcomer = async (role: 'admin' | 'editor' | 'author', name: string) => {
  const signedIn = await site.signedIn(role, name);
  return { signedIn, email: `${name}@${site.tenant}.example` };
};

describe('a refresh token (contract 32)', () => {
  it('gives a new access token in place of the old one, and stays the same', async () => {
    const { access_token, refresh_token } = await application.tokens(browser);
    expect(await read(access_token)).toEqual([200, '']);
    const answer = await application.refresh(refresh_token);
    expect([answer.status, answer.body]).toMatchObject([
      200,
      { refresh_token, expires_in: 3600, scope: 'content:read' },
    ]);
    const { access_token: next } = answer.body as { access_token: string };
    expect(next).not.toBe(access_token);
    expect(await untilEnded(access_token)).toEqual([401, 'INVALID_TOKEN']);
    expect(await read(next)).toEqual([200, '']);
    expect((await application.refresh(refresh_token, { client_id: undefined })).status).toBe(200);
  });

  it('is good for ninety days, to the second', async () => {
    const { refresh_token } = await application.tokens(browser);
    const hash = createHash('sha256').update(refresh_token).digest('hex');
    const [row] = await site.sql<{ days: number }>(
      'SELECT round(extract(epoch FROM refresh_expires_at - now()) / 86400)::integer AS days FROM oauth_grants WHERE refresh_hash = $1',
      [hash],
    );
    expect(row?.days).toBe(90);
    await site.sql(
      "UPDATE oauth_grants SET refresh_expires_at = now() - interval '1 second' WHERE refresh_hash = $1",
      [hash],
    );
    expect(refusal(await application.refresh(refresh_token))).toEqual(invalidGrant);
    await application.tokens(browser);
    expect(await site.sql('SELECT id FROM oauth_grants WHERE refresh_expires_at < now()')).toEqual([]);
  });

  it('is nothing for another application, and an access token is none', async () => {
    const other = await openApplication(site);
    const { access_token, refresh_token } = await application.tokens(browser);
    expect(refusal(await other.refresh(refresh_token))).toEqual(invalidGrant);
    expect(refusal(await application.refresh(access_token))).toEqual(invalidGrant);
    expect((await application.refresh(refresh_token)).status).toBe(200);
  });

  it('is cut anew to the role and the client', async () => {
    const { signedIn, email } = await newcomer('admin', 'changing');
    const { refresh_token } = await application.tokens(signedIn, 'admin content:read media:read');
    await site.sql('UPDATE users SET role = 30 WHERE email = $1', [email]);
    expect((await application.refresh(refresh_token)).body).toMatchObject({
      scope: 'content:read media:read',
    });
    const admin = await site.as('admin');
    await admin.put(`/admin/oauth-clients/${application.id}`, { scopes: ['media:read', 'admin'] });
    expect((await application.refresh(refresh_token)).body).toMatchObject({ scope: 'media:read' });
    await admin.put(`/admin/oauth-clients/${application.id}`, { scopes: ['admin'] });
    expect(refusal(await application.refresh(refresh_token))).toEqual(invalidGrant);
  });

  it('may be used for fewer scopes, not for more', async () => {
    const { refresh_token } = await application.tokens(browser, 'content:read media:read');
    expect((await application.refresh(refresh_token, { scope: 'media:read' })).body).toMatchObject({
      scope: 'media:read',
    });
    expect(refusal(await application.refresh(refresh_token, { scope: 'media:write' }))).toEqual([
      400,
      'invalid_scope',
    ]);
    expect((await application.refresh(refresh_token)).body).toMatchObject({
      scope: 'content:read media:read',
    });
  });

  it('of a disabled user ends with all that he granted, for good', async () => {
    const { signedIn, email } = await newcomer('editor', 'leaving');
    const [first, second] = [await application.tokens(signedIn), await application.tokens(signedIn)];
    await site.sql('UPDATE users SET disabled = true WHERE email = $1', [email]);
    expect(refusal(await application.refresh(first.refresh_token))).toEqual(invalidGrant);
    await site.sql('UPDATE users SET disabled = false WHERE email = $1', [email]);
    expect(refusal(await application.refresh(second.refresh_token))).toEqual(invalidGrant);
    expect(await read(second.access_token)).toEqual([401, 'INVALID_TOKEN']);
  });

  it('used many times at once leaves one access token', async () => {
    const { refresh_token } = await application.tokens(browser);
    const answers = await Promise.all(Array.from({ length: 5 }, () => application.refresh(refresh_token)));
    const tokens = answers.map(({ body }) => (body as { access_token: string }).access_token);
    expect(new Set(tokens).size).toBe(5);
    const states = await Promise.all(tokens.map(read));
    expect(states.filter(([status]) => status === 200)).toHaveLength(1);
  });

  it('may be sent to an endpoint of its own, in the envelope', async () => {
    const { refresh_token } = await application.tokens(browser);
    const send = (token: string) =>
      site.anonymous().post('/oauth/token/refresh', { grant_type: 'refresh_token', refresh_token: token });
    expect((await send(refresh_token)).data).toMatchObject({ refresh_token, token_type: 'Bearer' });
    expect(outcome(await send('ec_ort_x'))).toEqual([400, 'INVALID_GRANT']);
    expect(outcome(await site.anonymous().post('/oauth/token/refresh', { refresh_token }))).toEqual([
      400,
      'VALIDATION_ERROR',
    ]);
  });
});

describe('revoking (contract 32)', () => {
  const revoke = (token: string) => site.anonymous().post('/oauth/token/revoke', { token });

  it('a refresh token ends its access token at once', async () => {
    const { access_token, refresh_token } = await application.tokens(browser);
    expect(await read(access_token)).toEqual([200, '']);
    const answer = await revoke(refresh_token);
    expect([answer.status, answer.data]).toEqual([200, { revoked: true }]);
    expect(await untilEnded(access_token)).toEqual([401, 'INVALID_TOKEN']);
    expect(refusal(await application.refresh(refresh_token))).toEqual(invalidGrant);
  });

  it('an access token leaves the refresh token', async () => {
    const { access_token, refresh_token } = await application.tokens(browser);
    await read(access_token);
    expect((await revoke(access_token)).data).toEqual({ revoked: true });
    expect(await untilEnded(access_token)).toEqual([401, 'INVALID_TOKEN']);
    expect((await application.refresh(refresh_token)).status).toBe(200);
  });

  it('an unknown token is a success, and a personal one goes on', async () => {
    const admin = await site.as('admin');
    for (const token of ['ec_ort_x', '', String(admin.token)])
      expect((await revoke(token)).data).toEqual({ revoked: true });
    expect((await admin.get('/auth/me')).status).toBe(200);
  });

  it('nothing in particular is 400', async () => {
    expect(outcome(await site.anonymous().post('/oauth/token/revoke', {}))).toEqual([
      400,
      'VALIDATION_ERROR',
    ]);
  });
});
