import { randomInt } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  ceremonyOptionsOf,
  cookieOf,
  openSite,
  statusAndCode,
  PageBrowser,
  ceremonyOf,
  SoftwareAuthenticator,
  testSystem,
  type RequestOptions,
  type Site,
} from '@quire/testing';

/** Without users. */
let site: Site;
beforeEach(async () => void (site = await openSite()));
afterEach(() => site.close());

const setup = '/_cms/admin/setup';
const forbidden = [403, 'FORBIDDEN'];
const named = { title: 'My site', includeContent: false };
const status = async (options?: RequestOptions) =>
  (await site.anonymous().get('/setup/status', options)).data as { needsSetup: boolean; needsLink?: boolean };
const withLink = (...more: string[]) => ({ headers: { cookie: [site.setupCookie, ...more].join('; ') } });

/** Makes the first user. @param options what the browser sends beside the nonce */
async function finish({ headers = {} }: RequestOptions = {}) {
  const begun = await site.anonymous().post('/setup/admin', { email: 'ann@site.example' }, { headers });
  const credential = new SoftwareAuthenticator().register(ceremonyOptionsOf(begun), ceremonyOf(site));
  const nonce = `cms_setup_nonce=${cookieOf(begun, 'cms_setup_nonce')}`;
  const cookie = [headers['cookie'], nonce].filter(Boolean).join('; ');
  return site.anonymous().post('/setup/admin/verify', { credential }, { headers: { ...headers, cookie } });
}

describe('the setup of a publicly reachable site (decision 59)', () => {
  it('is forbidden without the setup link, at every step', async () => {
    const visitor = site.anonymous();
    expect(statusAndCode(await visitor.post('/setup', named))).toEqual(forbidden);
    expect(statusAndCode(await visitor.post('/setup/admin', { email: 'eve@site.example' }))).toEqual(
      forbidden,
    );
    await visitor.post('/setup', named, withLink());
    const begun = await visitor.post('/setup/admin', { email: 'ann@site.example' }, withLink());
    const credential = new SoftwareAuthenticator().register(ceremonyOptionsOf(begun), ceremonyOf(site));
    const cookie = `cms_setup_nonce=${cookieOf(begun, 'cms_setup_nonce')}`;
    const answer = await visitor.post('/setup/admin/verify', { credential }, { headers: { cookie } });
    expect(statusAndCode(answer)).toEqual(forbidden);
    expect(await site.sql('SELECT id FROM users')).toEqual([]);
    expect(await site.sql("SELECT details FROM audit_log WHERE action = 'session.refused'")).toEqual([
      { details: { method: 'setup', reason: 'FORBIDDEN' } },
    ]);
  });

  it.each(['wrong', '', 'x'.repeat(43)])('is forbidden with the secret %j', async (secret) => {
    const headers = { cookie: `cms_setup_link=${secret}` };
    expect(statusAndCode(await site.anonymous().post('/setup', named, { headers }))).toEqual(forbidden);
  });

  it('is forbidden with the link of another site', async () => {
    const neighbour = await openSite();
    const headers = { cookie: neighbour.setupCookie };
    expect(statusAndCode(await site.anonymous().post('/setup', named, { headers }))).toEqual(forbidden);
    await neighbour.close();
  });

  it('is forbidden for a forged local Host header', async () => {
    const headers = { 'x-real-ip': '127.0.0.1' };
    expect(statusAndCode(await site.anonymous().post('/setup', named, { headers }))).toEqual(forbidden);
  });

  it('tells anybody whether a link is needed', async () => {
    expect(await status()).toMatchObject({ needsSetup: true, needsLink: true });
    expect(await status(withLink())).toMatchObject({ needsSetup: true, needsLink: false });
  });

  it('is allowed with the link until there is a user', async () => {
    expect((await site.anonymous().post('/setup', named, withLink())).status).toBe(200);
    const made = await finish(withLink());
    expect(made.data.user).toMatchObject({ email: 'ann@site.example', role: 50 });
    expect(made.setCookies.find((cookie) => cookie.startsWith('cms_setup_link='))).toMatch(
      /^cms_setup_link=; Max-Age=0; Path=\/_cms\/; HttpOnly/,
    );
    expect(await site.sql('SELECT link_hash FROM setup_state')).toEqual([{ link_hash: null }]);
    await site.sql('DELETE FROM users');
    expect(statusAndCode(await site.anonymous().post('/setup', named, withLink()))).toEqual(forbidden);
  });

  it('stores the secret only as a hash', async () => {
    const rows = JSON.stringify(await site.sql('SELECT * FROM setup_state'));
    expect(rows).not.toContain(site.setupCookie.split('=')[1]);
  });
});

describe('GET /_cms/admin/setup', () => {
  it('exchanges the secret of the link for a cookie that no script reads, and takes it out of the address', async () => {
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

  it('leads to the login once there is a user, with a link as without', async () => {
    await site.as('admin');
    for (const path of [setup, site.setupPath])
      expect((await site.anonymous().get(path)).headers.get('location')).toBe('/_cms/admin/login');
  });
});

describe('the first user with a login provider', () => {
  it('is forbidden without the link', async () => {
    await site.anonymous().post('/setup', named, withLink());
    const browser = new PageBrowser(site);
    const away = await browser.open('/_cms/api/auth/oauth/handle?handle=eve.example');
    const state = new URL(away.headers.get('location') ?? '').searchParams.get('state') ?? '';
    const back = await browser.open(`/_cms/api/auth/oauth/handle/callback?code=any&state=${state}`);
    expect(back.headers.get('location')).toContain('error=signup_not_allowed');
    expect(await site.sql('SELECT id FROM users')).toEqual([]);
  });
});

describe('the setup at localhost', () => {
  it('is open to clients on this machine, and to nobody else', async () => {
    const host = `localhost:${randomInt(20_000, 60_000)}`;
    const local = await openSite(testSystem(), { hosts: [host] });
    const post = (address: string | undefined) =>
      local.anonymous().post('/setup', named, { headers: { 'x-real-ip': address } });
    expect(statusAndCode(await post('203.0.113.7'))).toEqual(forbidden);
    expect(statusAndCode(await post('10.0.0.7'))).toEqual(forbidden);
    expect((await post('127.0.0.1')).status).toBe(200);
    expect((await post('::1')).status).toBe(200);
    await local.close();
  });
});
