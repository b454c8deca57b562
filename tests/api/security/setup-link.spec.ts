import { randomInt } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import {
  ceremonyOf,
  ceremonyOptionsOf,
  cookieOf,
  openSite,
  PageBrowser,
  SoftwareAuthenticator,
  statusAndCode,
  testSystem,
  useSite,
  type RequestOptions,
} from '@quire/testing';

/** Has no users. */
const site = useSite({ lifetime: 'test' });

const setup = '/_cms/admin/setup';
const forbidden = [403, 'FORBIDDEN'];
const siteInput = { title: 'My site', includeContent: false };
const status = async (options?: RequestOptions) =>
  (await site.anonymous().get('/setup/status', options)).data as { needsSetup: boolean; needsLink?: boolean };
const withLink = (...cookies: string[]) => ({
  headers: { cookie: [site.setupCookie, ...cookies].join('; ') },
});

/** Creates the first user. @param options sent beside the nonce */
async function finish({ headers = {} }: RequestOptions = {}) {
  const started = await site.anonymous().post('/setup/admin', { email: 'ann@site.example' }, { headers });
  const credential = new SoftwareAuthenticator().register(ceremonyOptionsOf(started), ceremonyOf(site));
  const nonce = `cms_setup_nonce=${cookieOf(started, 'cms_setup_nonce')}`;
  const cookie = [headers['cookie'], nonce].filter(Boolean).join('; ');
  return site.anonymous().post('/setup/admin/verify', { credential }, { headers: { ...headers, cookie } });
}

describe('setup of a publicly reachable site (decision 59)', () => {
  it('is forbidden without the setup link, at every step', async () => {
    const visitor = site.anonymous();
    expect(statusAndCode(await visitor.post('/setup', siteInput))).toEqual(forbidden);
    expect(statusAndCode(await visitor.post('/setup/admin', { email: 'eve@site.example' }))).toEqual(
      forbidden,
    );
    await visitor.post('/setup', siteInput, withLink());
    const started = await visitor.post('/setup/admin', { email: 'ann@site.example' }, withLink());
    const credential = new SoftwareAuthenticator().register(ceremonyOptionsOf(started), ceremonyOf(site));
    const cookie = `cms_setup_nonce=${cookieOf(started, 'cms_setup_nonce')}`;
    const response = await visitor.post('/setup/admin/verify', { credential }, { headers: { cookie } });
    expect(statusAndCode(response)).toEqual(forbidden);
    expect(await site.sql('SELECT id FROM users')).toEqual([]);
    expect(await site.sql("SELECT details FROM audit_log WHERE action = 'session.refused'")).toEqual([
      { details: { method: 'setup', reason: 'FORBIDDEN' } },
    ]);
  });

  it.each(['wrong', '', 'x'.repeat(43)])('is forbidden with the secret %j', async (secret) => {
    const headers = { cookie: `cms_setup_link=${secret}` };
    expect(statusAndCode(await site.anonymous().post('/setup', siteInput, { headers }))).toEqual(forbidden);
  });

  it('is forbidden with the link of another site', async () => {
    const other = await openSite();
    const headers = { cookie: other.setupCookie };
    expect(statusAndCode(await site.anonymous().post('/setup', siteInput, { headers }))).toEqual(forbidden);
    await other.close();
  });

  it('is forbidden for a forged local Host header', async () => {
    const headers = { 'x-real-ip': '127.0.0.1' };
    expect(statusAndCode(await site.anonymous().post('/setup', siteInput, { headers }))).toEqual(forbidden);
  });

  it('GET /setup/status returns whether the link is needed', async () => {
    expect(await status()).toMatchObject({ needsSetup: true, needsLink: true });
    expect(await status(withLink())).toMatchObject({ needsSetup: true, needsLink: false });
  });

  it('is allowed with the link until there is a user', async () => {
    expect((await site.anonymous().post('/setup', siteInput, withLink())).status).toBe(200);
    const finished = await finish(withLink());
    expect(finished.data.user).toMatchObject({ email: 'ann@site.example', role: 50 });
    expect(finished.setCookies.find((cookie) => cookie.startsWith('cms_setup_link='))).toMatch(
      /^cms_setup_link=; Max-Age=0; Path=\/_cms\/; HttpOnly/,
    );
    expect(await site.sql('SELECT link_hash FROM setup_state')).toEqual([{ link_hash: null }]);
    await site.sql('DELETE FROM users');
    expect(statusAndCode(await site.anonymous().post('/setup', siteInput, withLink()))).toEqual(forbidden);
  });

  it('stores the secret only as a hash', async () => {
    const rows = JSON.stringify(await site.sql('SELECT * FROM setup_state'));
    expect(rows).not.toContain(site.setupCookie.split('=')[1]);
  });
});

describe('GET /_cms/admin/setup', () => {
  it('exchanges the secret of the link for an HttpOnly cookie and removes it from the address', async () => {
    const browser = new PageBrowser(site);
    const opened = await browser.open(site.setupPath);
    expect([opened.status, opened.headers.get('location')]).toEqual([302, setup]);
    expect(opened.headers.get('set-cookie')).toMatch(
      /^cms_setup_link=[\w-]{43}; Max-Age=3600; Path=\/_cms\/; HttpOnly; SameSite=Lax$/,
    );
    await browser.open(setup);
    expect(browser.page).toContain('Title of the site');
    await browser.send({ title: 'The Gazette', includeContent: undefined });
    await browser.open(setup);
    expect(browser.page).toContain('data-start="/_cms/api/setup/admin"');
  });

  it('explains a missing and an invalid link', async () => {
    const browser = new PageBrowser(site);
    expect((await browser.open(setup)).status).toBe(403);
    expect(browser.page).toContain('Open the setup link');
    expect(browser.page).not.toContain('<form');
    const wrong = await browser.open(`${setup}?token=${'x'.repeat(43)}`);
    expect([wrong.status, wrong.setCookies]).toEqual([403, []]);
    expect(browser.page).toContain('unknown');
  });

  it('rejects forms without the setup link', async () => {
    const browser = new PageBrowser(site);
    await browser.open(site.setupPath);
    await browser.open(setup);
    await site.sql("UPDATE setup_state SET link_hash = 'replaced'");
    expect((await browser.send({ title: 'Forged' })).status).toBe(403);
    expect(await site.sql('SELECT site_saved_at FROM setup_state')).toEqual([{ site_saved_at: null }]);
  });

  it('redirects to the login once there is a user, with or without a link', async () => {
    await site.as('admin');
    for (const path of [setup, site.setupPath])
      expect((await site.anonymous().get(path)).headers.get('location')).toBe('/_cms/admin/login');
  });
});

describe('first user with a login provider', () => {
  it('is forbidden without the link', async () => {
    await site.anonymous().post('/setup', siteInput, withLink());
    const browser = new PageBrowser(site);
    const away = await browser.open('/_cms/api/auth/oauth/handle?handle=eve.example');
    const state = new URL(away.headers.get('location') ?? '').searchParams.get('state') ?? '';
    const back = await browser.open(`/_cms/api/auth/oauth/handle/callback?code=any&state=${state}`);
    expect(back.headers.get('location')).toContain('error=signup_not_allowed');
    expect(await site.sql('SELECT id FROM users')).toEqual([]);
  });
});

describe('setup at localhost', () => {
  it('is open only to clients on this machine', async () => {
    const host = `localhost:${randomInt(20_000, 60_000)}`;
    const local = await openSite(testSystem(), { hosts: [host] });
    const post = (address: string | undefined) =>
      local.anonymous().post('/setup', siteInput, { headers: { 'x-real-ip': address } });
    expect(statusAndCode(await post('203.0.113.7'))).toEqual(forbidden);
    expect(statusAndCode(await post('10.0.0.7'))).toEqual(forbidden);
    expect((await post('127.0.0.1')).status).toBe(200);
    expect((await post('::1')).status).toBe(200);
    await local.close();
  });
});
