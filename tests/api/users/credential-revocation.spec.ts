import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  addPasskey,
  eventually,
  logIn,
  openApplication,
  SoftwareAuthenticator,
  statusAndCode,
  useSite,
  type ApiResponse,
  type Application,
  type Client,
} from '@quire/testing';
import { expectEventually } from './support.js';

const site = useSite();
let admin: Client;
let application: Application;

beforeAll(async () => {
  admin = await site.signedIn('admin');
  application = await openApplication(site);
  await site.collection();
});

const scope = 'content:read content:write settings:read';

/** Creates an editor with one credential of each kind. */
async function editorWithCredentials(name: string) {
  const session = await site.signedIn('editor', name);
  const { id } = (await session.get('/auth/me')).data;
  const key = new SoftwareAuthenticator();
  await addPasskey(site, session, key);
  const email = `${name}@${site.tenant}.example`;
  const personal = await site.another('editor', name);
  const tokens = await application.tokens(session, scope);
  const code = await application.code(session, scope);
  const device = (await site.anonymous().post('/oauth/device/code', { scope })).data;
  await session.post('/oauth/device/authorize', { user_code: device.user_code });
  await site.anonymous().post('/auth/magic-link/send', { email });
  const mails = await eventually(
    () => site.mailsTo(email),
    (received) => received.some(({ link }) => link.includes('token=')),
  );
  const link = new URL(mails.find(({ link }) => link.includes('token='))?.link ?? '').searchParams.get(
    'token',
  );
  return { id, path: `/admin/users/${id}`, session, key, personal, tokens, code, device, link };
}
type Credentials = Awaited<ReturnType<typeof editorWithCredentials>>;

const redeemDevice = ({ device }: Credentials) =>
  site.anonymous().post('/oauth/device/token', {
    device_code: device.device_code,
    grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
  });
const access = ({ tokens }: Credentials) => site.withToken(tokens.access_token);
const oauthError = ({ status, body }: ApiResponse) => [status, (body as { error?: unknown }).error];

describe('POST /admin/users/{id}/disable', () => {
  it('invalidates every credential of the user', async () => {
    const ann = await editorWithCredentials('ann');
    expect((await admin.post(`${ann.path}/disable`)).status).toBe(200);
    await expectEventually([403, 'ACCOUNT_DISABLED'], () => ann.session.get('/settings'));
    await expectEventually([401, 'INVALID_TOKEN'], () => ann.personal.get('/settings'));
    await expectEventually([401, 'INVALID_TOKEN'], () => access(ann).get('/settings'));
    expect(oauthError(await application.refresh(ann.tokens.refresh_token))).toEqual([400, 'invalid_grant']);
    expect(oauthError(await application.exchange(ann.code))).toEqual([400, 'invalid_grant']);
    expect((await redeemDevice(ann)).status).toBe(400);
    expect(statusAndCode(await logIn(site, ann.key))).toEqual([403, 'ACCOUNT_DISABLED']);
    const link = await site.anonymous().post('/auth/magic-link/verify', { token: ann.link });
    expect([link.status, link.headers.get('set-cookie')]).toEqual([303, null]);
    expect(link.headers.get('location')).toMatch(/^\/_cms\/admin\/login\?error=/);
    expect(await site.sql('SELECT id FROM sessions WHERE user_id = $1', [ann.id])).toEqual([]);
  });
});

describe('PUT /admin/users/{id} with a lower role', () => {
  it('limits every credential of the user to the lower role', async () => {
    const bob = await editorWithCredentials('bob');
    expect((await admin.put(bob.path, { role: 10 })).status).toBe(200);
    for (const client of [bob.personal, access(bob)]) {
      await expectEventually([403, 'FORBIDDEN'], () => client.get('/settings'));
      expect(statusAndCode(await client.post('/content/posts', { data: {} }))[0]).toBe(403);
    }
    const newTokens = [
      await application.refresh(bob.tokens.refresh_token),
      await application.exchange(bob.code),
      await redeemDevice(bob),
    ];
    for (const { body } of newTokens) {
      const granted = body as { access_token?: string; scope?: string };
      expect(granted.scope).toBe('content:read');
      const client = site.withToken(granted.access_token ?? '');
      expect((await client.get('/settings')).status).toBe(403);
    }
    for (const response of [await logIn(site, bob.key)]) expect(response.data.user.role).toBe(10);
  });

  it('ends the sessions of the higher role', async () => {
    const eve = await editorWithCredentials('eve');
    await admin.put(eve.path, { role: 10 });
    await expectEventually([401, 'NOT_AUTHENTICATED'], () => eve.session.get('/settings'));
  });
});
