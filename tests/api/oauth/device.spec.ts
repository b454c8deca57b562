import { beforeAll, describe, expect, it } from '@jest/globals';
import { openApplication, openSite, statusAndCode, useSite, type Client } from '@quire/testing';
import { deviceGrant, oauthError } from './support.js';

const site = useSite();
let browser: Client;

beforeAll(async () => {
  browser = await site.signedIn('editor');
});

interface Device {
  device_code: string;
  user_code: string;
}
async function start(input: Record<string, unknown> = {}): Promise<Device> {
  return (await site.anonymous().post('/oauth/device/code', input)).data as Device;
}
const poll = ({ device_code }: Device, more = {}) =>
  site.anonymous().post('/oauth/device/token', { device_code, grant_type: deviceGrant, ...more });
const decide = (client: Client, user_code: string, action?: string) =>
  client.post('/oauth/device/authorize', { user_code, ...(action === undefined ? {} : { action }) });
/** Moves the last poll of a device into the past, as if its interval had passed. */
const skipInterval = (device: Device) =>
  site.sql(
    "UPDATE oauth_device_codes SET last_polled_at = last_polled_at - interval '1 hour' WHERE user_code = $1",
    [device.user_code.replace('-', '')],
  );
const expire = (device: Device) =>
  site.sql("UPDATE oauth_device_codes SET expires_at = now() - interval '1 second' WHERE user_code = $1", [
    device.user_code.replace('-', ''),
  ]);

describe('POST /oauth/device/code (contract 32)', () => {
  it('returns codes in the envelope and at top level', async () => {
    const { status, body, headers } = await site
      .anonymous()
      .post('/oauth/device/code', { client_id: 'cms-cli' });
    const codes = {
      device_code: expect.stringMatching(/^[\w-]{43}$/),
      user_code: expect.stringMatching(/^[A-HJ-NP-Z2-9]{4}-[A-HJ-NP-Z2-9]{4}$/),
      verification_uri: `http://${site.host}/_cms/admin/device`,
      expires_in: 900,
      interval: 5,
    };
    expect([status, body]).toEqual([200, { success: true, data: codes, ...codes }]);
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it('accepts a form and an empty body', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const form = await site
      .anonymous()
      .post('/oauth/device/code', undefined, { headers, rawBody: 'scope=admin' });
    expect(form.status).toBe(200);
    expect((await site.anonymous().post('/oauth/device/code')).status).toBe(200);
  });

  it('requests the default scopes without a scope', async () => {
    const device = await start();
    await decide(browser, device.user_code);
    expect((await poll(device)).data.scope).toBe(
      'content:read content:write media:read media:write schema:read',
    );
  });

  it('returns INVALID_SCOPE without a known scope of the client', async () => {
    const { id } = await openApplication(site, { scope: 'media:read', grant_types: [deviceGrant] });
    for (const input of [{ scope: 'everything' }, { scope: '' }, { scope: 'admin', client_id: id }])
      expect(statusAndCode(await site.anonymous().post('/oauth/device/code', input))).toEqual([
        400,
        'INVALID_SCOPE',
      ]);
  });

  it('returns 429 after 10 requests a minute', async () => {
    const from = () =>
      site.anonymous().post('/oauth/device/code', {}, { headers: { 'x-real-ip': '198.51.100.1' } });
    for (let count = 0; count < 10; count += 1) expect((await from()).status).toBe(200);
    const rejected = await from();
    expect([...statusAndCode(rejected), rejected.headers.get('retry-after')]).toEqual([
      429,
      'RATE_LIMITED',
      '60',
    ]);
  });
});

describe('POST /oauth/device/token', () => {
  it('returns authorization_pending, slow_down for fast polls, and tokens once', async () => {
    const device = await start({ scope: 'content:read' });
    expect(oauthError(await poll(device))).toEqual([400, 'authorization_pending']);
    const fast = await poll(device);
    expect([fast.status, fast.body]).toMatchObject([400, { error: 'slow_down', interval: 10 }]);
    expect((await poll(device)).body).toMatchObject({ error: 'slow_down', interval: 15 });
    await skipInterval(device);
    expect(oauthError(await poll(device))).toEqual([400, 'authorization_pending']);
    expect((await decide(browser, device.user_code)).data).toEqual({ authorized: true });
    const granted = await poll(device);
    expect([granted.status, granted.data]).toMatchObject([
      200,
      { token_type: 'Bearer', expires_in: 3600, scope: 'content:read' },
    ]);
    expect(granted.body).toMatchObject(granted.data as object);
    expect((await site.withToken(granted.data.access_token as string).get('/auth/me')).status).toBe(200);
    expect(statusAndCode(await poll(device))).toEqual([400, 'INVALID_GRANT']);
  });

  it('increases the interval to at most a minute', async () => {
    const device = await start();
    for (let count = 0; count < 14; count += 1) await poll(device);
    expect((await poll(device)).body).toMatchObject({ error: 'slow_down', interval: 60 });
  });

  it('returns access_denied after a denial and expired_token after expiry', async () => {
    const [denied, late] = [await start(), await start()];
    expect((await decide(browser, denied.user_code, 'deny')).data).toEqual({ authorized: false });
    expect(oauthError(await poll(denied))).toEqual([400, 'access_denied']);
    await expire(late);
    expect(oauthError(await poll(late))).toEqual([400, 'expired_token']);
  });

  it('returns expired_token for an approved code that has expired', async () => {
    const device = await start();
    await decide(browser, device.user_code);
    await expire(device);
    expect(oauthError(await poll(device))).toEqual([400, 'expired_token']);
  });

  it('returns errors in the envelope for invalid requests', async () => {
    const device = await start();
    expect(statusAndCode(await poll(device, { grant_type: 'password' }))).toEqual([
      400,
      'UNSUPPORTED_GRANT_TYPE',
    ]);
    expect(statusAndCode(await poll({ ...device, device_code: 'x' }))).toEqual([400, 'INVALID_GRANT']);
    expect(statusAndCode(await site.anonymous().post('/oauth/device/token', {}))).toEqual([
      400,
      'VALIDATION_ERROR',
    ]);
  });

  it('is also served by POST /oauth/token, with protocol errors', async () => {
    const device = await start({ scope: 'media:read' });
    const send = (device_code = device.device_code) =>
      site.anonymous().post('/oauth/token', { grant_type: deviceGrant, device_code });
    expect(oauthError(await send())).toEqual([400, 'authorization_pending']);
    expect((await send()).body).toMatchObject({ error: 'slow_down', interval: 10 });
    await decide(browser, device.user_code);
    expect((await send()).body).toMatchObject({ token_type: 'Bearer', scope: 'media:read' });
    expect(oauthError(await send())).toEqual([400, 'invalid_grant']);
  });

  it('issues tokens once for concurrent polls', async () => {
    const device = await start();
    await decide(browser, device.user_code);
    const responses = await Promise.all(Array.from({ length: 5 }, () => poll(device)));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400]);
  });

  it('returns INVALID_GRANT for another client id', async () => {
    const { id } = await openApplication(site, { grant_types: [deviceGrant] });
    const device = await start({ client_id: id });
    await decide(browser, device.user_code);
    expect(statusAndCode(await poll(device, { client_id: 'cms-cli' }))).toEqual([400, 'INVALID_GRANT']);
    expect((await poll(device, { client_id: id })).status).toBe(200);
  });

  it('returns INVALID_GRANT when the user was disabled or demoted', async () => {
    for (const [name, change] of [
      ['disabled', 'disabled = true'],
      ['demoted', 'role = 10'],
    ] as const) {
      const device = await start({ scope: 'schema:read' });
      await decide(await site.signedIn('editor', name), device.user_code);
      await site.sql(`UPDATE users SET ${change} WHERE email = $1`, [`${name}@${site.tenant}.example`]);
      expect(statusAndCode(await poll(device))).toEqual([400, 'INVALID_GRANT']);
    }
  });

  it('returns 429 after 12 requests a minute', async () => {
    const device = await start();
    const headers = { 'x-real-ip': '198.51.100.2' };
    const send = () =>
      site.anonymous().post('/oauth/device/token', { ...device, grant_type: deviceGrant }, { headers });
    for (let count = 0; count < 12; count += 1) expect((await send()).status).toBe(400);
    const rejected = await send();
    expect([...statusAndCode(rejected), rejected.headers.get('retry-after')]).toEqual([
      429,
      'RATE_LIMITED',
      '60',
    ]);
  });
});

describe('POST /oauth/device/authorize', () => {
  it('accepts the code in any case, with blanks and without the hyphen', async () => {
    const { user_code } = await start();
    const typed = ` ${user_code.toLowerCase().replace('-', ' ')} `;
    expect((await decide(browser, typed)).data).toEqual({ authorized: true });
  });

  it('grants no more scopes than the role allows', async () => {
    const device = await start({ scope: 'content:read schema:read admin' });
    await decide(browser, device.user_code, 'approve');
    expect((await poll(device)).data.scope).toBe('content:read schema:read');
    const high = await start({ scope: 'admin' });
    expect(statusAndCode(await decide(browser, high.user_code))).toEqual([403, 'INSUFFICIENT_ROLE']);
    expect((await decide(await site.signedIn('admin'), high.user_code)).data).toEqual({ authorized: true });
  });

  it('returns 400 for a code that is unknown, used, expired or of another site', async () => {
    const [done, late] = [await start(), await start()];
    await decide(browser, done.user_code);
    await expire(late);
    for (const code of ['AAAA-AAAA', '', done.user_code])
      expect(statusAndCode(await decide(browser, code))).toEqual([400, 'INVALID_CODE']);
    expect(statusAndCode(await decide(browser, late.user_code))).toEqual([400, 'EXPIRED_CODE']);
    const other = await openSite();
    const waiting = await start();
    const otherAdmin = await other.signedIn('admin');
    expect(statusAndCode(await decide(otherAdmin, waiting.user_code))).toEqual([400, 'INVALID_CODE']);
    await other.close();
  });

  it('accepts one of several concurrent decisions', async () => {
    const device = await start();
    const others = await Promise.all([
      site.signedIn('admin'),
      site.signedIn('author'),
      site.signedIn('editor'),
    ]);
    const responses = await Promise.all(others.map((client) => decide(client, device.user_code)));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
  });

  it('requires a session and a same-site request', async () => {
    const { user_code } = await start();
    expect(statusAndCode(await decide(site.anonymous(), user_code))).toEqual([401, 'NOT_AUTHENTICATED']);
    expect(statusAndCode(await decide(await site.as('admin'), user_code))).toEqual([403, 'FORBIDDEN']);
    const forged = await browser.post(
      '/oauth/device/authorize',
      { user_code },
      { headers: { 'x-cms-request': undefined } },
    );
    expect(statusAndCode(forged)).toEqual([403, 'CSRF_REJECTED']);
    expect(statusAndCode(await decide(browser, user_code, 'perhaps'))).toEqual([400, 'VALIDATION_ERROR']);
  });
});
