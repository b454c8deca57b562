import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  idsOf,
  openApplication,
  openSite,
  statusAndCode,
  useSite,
  walkPages,
  type ApiResponse,
  type Application,
  type Client,
} from '@quire/testing';
import { createPasskeyHolder, signChallenge } from './support.js';

const site = useSite();
let admin: Client;

beforeAll(async () => {
  admin = await site.signedIn('admin');
});

const clients = '/admin/oauth-clients';
const uri = 'https://app.example/callback';
const powerful = [
  'schema:write',
  'settings:manage',
  'transfer:export',
  'transfer:analyze',
  'transfer:execute',
  'admin',
];
const register = (metadata: object) => site.anonymous().post('/oauth/register', metadata);
const redirectOf = ({ status, headers }: ApiResponse) => [
  status,
  headers
    .get('location')
    ?.replace(/code=[\w-]{43}/, 'code=…')
    .replace(`iss=${encodeURIComponent(`http://${site.host}/_cms`)}`, 'iss=…') ?? null,
];
const withCode = [302, `${uri}?code=…&state=s-1&iss=…`];
const approve = (application: Application) => admin.post(`${clients}/${application.id}/approve`);

/** Creates an administrator with a passkey whose sign-in is no longer recent. */
async function passkeyHolder(name: string) {
  const { client, key } = await createPasskeyHolder(site, name);
  return { client, sign: () => signChallenge(site, client, key) };
}

describe('consent page of a self-registered application (decision 57)', () => {
  it('shows the registration date and the host of the redirect', async () => {
    const application = await openApplication(site, { client_name: 'Quire (official)' });
    const { page } = await application.requestConsent(admin);
    expect(page).toMatch(/registered itself on\s+<time datetime="[^"]+">\d+ \w+ \d{4}<\/time>/);
    expect(page).toMatch(/Its name is not\s+verified/);
    expect(page).toContain('<p class="host">app.example</p>');
  });

  it('leaves sensitive scopes unchecked', async () => {
    const { boxes, offered } = await (
      await openApplication(site)
    ).requestConsent(admin, {
      scope: ['content:read', 'schema:read', ...powerful].join(' '),
    });
    expect(boxes).toEqual(['content:read', 'schema:read']);
    expect(offered).toEqual([...boxes, ...powerful]);
  });

  it.each(powerful)('grants %s only with a passkey', async (scope) => {
    const application = await openApplication(site);
    const { client, sign } = await passkeyHolder('holder');
    const { send, page } = await application.requestConsent(client, { scope });
    expect(page).toContain('/consent.js"');
    const rejected = await send({ scopes: [scope] });
    expect(redirectOf(rejected)).toEqual([403, null]);
    expect(String(rejected.body)).toContain('Use a passkey');
    expect(redirectOf(await send({ scopes: [scope], credential: await sign() }))).toEqual(withCode);
  });

  it('accepts an assertion once, only of the user and for this decision', async () => {
    const application = await openApplication(site);
    const [ann, bob] = [await passkeyHolder('ann'), await passkeyHolder('bob')];
    const { send } = await application.requestConsent(ann.client, { scope: 'admin' });
    const credential = await ann.sign();
    expect((await send({ scopes: ['admin'], credential: await bob.sign() })).status).toBe(401);
    expect(redirectOf(await send({ scopes: ['admin'], credential }))).toEqual(withCode);
    const again = await send({ scopes: ['admin'], credential });
    expect([again.status, String(again.body)]).toEqual([
      401,
      expect.stringContaining('Passkey authentication failed'),
    ]);
  });

  it('needs no passkey for other scopes or for denying', async () => {
    const application = await openApplication(site);
    const { client } = await passkeyHolder('cid');
    const { send } = await application.requestConsent(client, { scope: 'content:read admin' });
    expect(redirectOf(await send())).toEqual(withCode);
    expect((await send({ action: 'deny' })).status).toBe(302);
  });

  it('accepts a recent sign-in of a user without a passkey', async () => {
    const application = await openApplication(site);
    const recent = await application.requestConsent(await site.signedIn('admin', 'dan'), { scope: 'admin' });
    expect(recent.page).not.toContain('<script');
    expect(redirectOf(await recent.send({ scopes: ['admin'] }))).toEqual(withCode);
    const old = await application.requestConsent(await site.signedIn('admin', 'dan', 11), { scope: 'admin' });
    expect(old.page).toContain('/_cms/admin/login?again=1');
    expect(redirectOf(await old.send({ scopes: ['admin'] }))).toEqual([403, null]);
  });

  it('has no restrictions after an administrator approved the application', async () => {
    const application = await openApplication(site);
    const { status, data } = await approve(application);
    expect([status, data]).toMatchObject([200, { registeredItself: true, approvedAt: expect.any(String) }]);
    const { page, boxes, send } = await application.requestConsent(
      await site.signedIn('admin', 'admin', 60),
      {
        scope: 'admin',
      },
    );
    expect(page).not.toContain('registered itself');
    expect(boxes).toEqual(['admin']);
    expect(redirectOf(await send())).toEqual(withCode);
    expect((await approve(application)).data).toEqual(data);
    const events = await site.sql("SELECT 1 FROM audit_log WHERE action = 'oauth-client.approved'");
    expect(events).toHaveLength(1);
    expect(statusAndCode(await admin.post(`${clients}/nothing/approve`))).toEqual([404, 'NOT_FOUND']);
  });

  it('requires no passkey for an application created by an administrator', async () => {
    await admin.post(clients, { id: 'by-hand', name: 'By hand', redirectUris: [uri] });
    const application = await openApplication(site);
    const { boxes, page } = await application.requestConsent(admin, { client_id: 'by-hand', scope: 'admin' });
    expect(boxes).toEqual(['admin']);
    expect(page).not.toContain('registered itself');
  });
});

describe('device of an unverified application', () => {
  const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';
  const start = (input: object) => site.anonymous().post('/oauth/device/code', input);
  const decide = (client: Client, user_code: string, credential?: object) =>
    client.post('/oauth/device/authorize', { user_code, ...(credential ? { credential } : {}) });

  it('gets UNAUTHORIZED_CLIENT without the device grant', async () => {
    const { id } = await openApplication(site);
    expect(statusAndCode(await start({ client_id: id }))).toEqual([400, 'UNAUTHORIZED_CLIENT']);
    const television = await openApplication(site, { grant_types: [deviceGrant] });
    expect((await start({ client_id: television.id })).status).toBe(200);
    const response = await admin.get(television.address());
    expect(response.status).toBe(400);
  });

  it('gets sensitive scopes only with a passkey, registered or not', async () => {
    const { client, sign } = await passkeyHolder('eve');
    const { id } = await openApplication(site, { grant_types: [deviceGrant] });
    for (const input of [{ scope: 'admin' }, { scope: 'content:read settings:manage', client_id: id }]) {
      const { user_code } = (await start(input)).data as { user_code: string };
      expect(statusAndCode(await decide(client, user_code))).toEqual([403, 'REAUTHENTICATION_REQUIRED']);
      expect((await decide(client, user_code, await sign())).data).toEqual({ authorized: true });
    }
  });
});

describe('invalid authorization request', () => {
  const faulty = (application: Application) => admin.get(application.address({ response_type: 'x' }));

  it('is redirected to the application only after a consent', async () => {
    const application = await openApplication(site);
    const response = await faulty(application);
    expect([...redirectOf(response), response.headers.get('content-type')]).toEqual([
      400,
      null,
      'text/html; charset=utf-8',
    ]);
    await application.code(admin);
    expect((await faulty(application)).status).toBe(302);
  });

  it('is redirected to an approved application', async () => {
    const application = await openApplication(site);
    await approve(application);
    expect((await faulty(application)).status).toBe(302);
  });
});

describe('POST /oauth/register', () => {
  const rejected = [400, { error: 'invalid_client_metadata', error_description: expect.any(String) }];

  it.each(['a\r\nb', 'Quire \u202e(laiciffo)', 'a\u0007b', 'a\u200bb', 'a\u2028b', 'a\u00adb'])(
    'returns 400 for the name %j, like POST /admin/oauth-clients',
    async (client_name) => {
      const response = await register({ redirect_uris: [uri], client_name });
      expect([response.status, response.body]).toEqual(rejected);
      const created = await admin.post(clients, { id: 'x', name: client_name, redirectUris: [uri] });
      expect(statusAndCode(created)).toEqual([400, 'VALIDATION_ERROR']);
    },
  );

  it('accepts at most ten redirect URIs and 8 KiB', async () => {
    const uris = (count: number, length: number) =>
      Array.from({ length: count }, (_, at) => `https://app.example/${at}`.padEnd(length, 'x'));
    expect((await register({ redirect_uris: uris(10, 50) })).status).toBe(201);
    expect((await register({ redirect_uris: uris(10, 790) })).status).toBe(201);
    for (const metadata of [
      { redirect_uris: uris(11, 50) },
      { redirect_uris: uris(10, 820) },
      { redirect_uris: uris(1, 50), logo_uri: 'x'.repeat(8_192) },
    ]) {
      const response = await register(metadata);
      expect([response.status, response.body]).toEqual(rejected);
    }
  });

  it('is audited only at the first consent', async () => {
    const lines = (id: string) =>
      site.sql('SELECT action FROM audit_log WHERE target_id = $1 ORDER BY id', [id]);
    const application = await openApplication(site);
    expect(await lines(application.id)).toEqual([]);
    await application.code(admin);
    await application.code(admin);
    expect(await lines(application.id)).toEqual([{ action: 'oauth-client.created' }]);
  });
});

describe('applications without consent', () => {
  it('are limited to a thousand; the oldest are deleted', async () => {
    const other = await openSite();
    const consented = await openApplication(other);
    await consented.code(await other.signedIn('editor'));
    await other.sql(
      `INSERT INTO oauth_clients (id, name, redirect_uris, registered_itself, created_at)
       SELECT 'old-' || n, 'x', '{}', true, now() - interval '1 hour' + n * interval '1 millisecond'
       FROM generate_series(1, 1100) n`,
    );
    await openApplication(other);
    const [row] = await other.sql(
      `SELECT count(*)::integer AS count, min(created_at) = (SELECT created_at FROM oauth_clients WHERE id = 'old-102') AS oldest
       FROM oauth_clients WHERE consented_at IS NULL`,
    );
    expect(row).toEqual({ count: 1000, oldest: true });
    expect((await consented.requestConsent(await other.signedIn('editor'))).response.status).toBe(200);
    await other.close();
  });

  it('are paginated like all others', async () => {
    const other = await openSite();
    const reader = await other.as('admin');
    for (const id of ['a', 'b', 'c'])
      await reader.post(clients, { id, name: id, redirectUris: [uri], scopes: ['content:read'] });
    const { items, nextCursor } = (await reader.get(`${clients}?limit=2`)).data;
    expect([idsOf(items), nextCursor]).toEqual([['c', 'b'], expect.any(String)]);
    expect(idsOf(await walkPages(reader, `${clients}?limit=2`))).toEqual(['c', 'b', 'a']);
    expect(statusAndCode(await reader.get(`${clients}?cursor=x`))).toEqual([400, 'INVALID_CURSOR']);
    await other.close();
  });
});

describe('grant', () => {
  it('expires a year after its creation, also when it is refreshed', async () => {
    const application = await openApplication(site);
    const { refresh_token } = await application.tokens(admin);
    const age = (days: number) =>
      site.sql("UPDATE oauth_grants SET created_at = now() - $2 * interval '1 day' WHERE client_id = $1", [
        application.id,
        days,
      ]);
    await age(360);
    const { body } = await application.refresh(refresh_token);
    const [row] = await site.sql(
      'SELECT round(extract(epoch FROM refresh_expires_at - now()) / 86400)::integer AS days FROM oauth_grants WHERE client_id = $1',
      [application.id],
    );
    expect(row).toEqual({ days: 5 });
    await age(366);
    const late = await application.refresh((body as { refresh_token: string }).refresh_token);
    expect([late.status, late.body]).toMatchObject([400, { error: 'invalid_grant' }]);
  });
});
