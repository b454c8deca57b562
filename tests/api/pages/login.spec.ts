import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { openSite, PageBrowser, useSite } from '@quire/testing';
import { redirectOf } from './support.js';

const site = useSite();
let browser: PageBrowser;

beforeAll(async () => {
  await site.as('admin');
});
beforeEach(() => {
  browser = new PageBrowser(site);
});

const login = '/_cms/admin/login';
const addressOf = (name: string) => `${name}@${site.tenant}.example`;

describe('GET /_cms/admin/login', () => {
  it('redirects to the setup on a site without users, as all pages do (contract 4)', async () => {
    const fresh = await openSite();
    const newUser = new PageBrowser(fresh);
    for (const path of [login, '/_cms/admin', '/_cms/admin/device', '/_cms/admin/signup'])
      expect(redirectOf(await newUser.open(path))).toEqual([302, '/_cms/admin/setup']);
    await fresh.close();
  });

  it('redirects signed-in users to the requested path', async () => {
    const { session } = await site.signedIn('editor');
    const editor = new PageBrowser(site, session);
    expect(redirectOf(await editor.open(login))).toEqual([302, '/_cms/admin']);
    const device = `${login}?redirect=${encodeURIComponent('/_cms/admin/device?user_code=A')}`;
    expect(redirectOf(await editor.open(device))).toEqual([302, '/_cms/admin/device?user_code=A']);
  });

  it.each([
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    'javascript:alert(1)',
    '/\tevil',
    ' /x',
    '',
  ])('never redirects to %j', async (redirect) => {
    const { session } = await site.signedIn('editor');
    const path = `${login}?redirect=${encodeURIComponent(redirect)}`;
    expect(redirectOf(await new PageBrowser(site, session).open(path))).toEqual([302, '/_cms/admin']);
    await browser.open(path);
    expect(browser.page).toContain('data-next="/_cms/admin"');
    expect(browser.page).not.toContain('name="redirect"');
  });

  it('redirects to paths in any script', async () => {
    const { session } = await site.signedIn('editor');
    const path = `${login}?redirect=${encodeURIComponent('/über/日本')}`;
    const [status, location] = redirectOf(await new PageBrowser(site, session).open(path));
    expect([status, decodeURI(String(location))]).toEqual([302, '/über/日本']);
  });

  it.each([
    ['missing_token', 'not complete'],
    ['invalid_link', 'has been used'],
    ['link_expired', 'has expired'],
    ['oauth_denied', 'denied access'],
    ['signup_not_allowed', 'Ask an administrator'],
    ['whatever-this-is', 'Signing in did not work'],
    ['constructor', 'Signing in did not work'],
  ])('shows its own message for %s', async (code, words) => {
    await browser.open(`${login}?error=${code}&message=${encodeURIComponent('Call +1 555 0100')}`);
    expect(browser.page).toContain(words);
    expect(browser.page).not.toContain('555 0100');
    expect(browser.page).toMatch(/role="alert"/);
  });

  it('shows nothing of the query but the escaped redirect path', async () => {
    const sly = `/"><script>alert(1)</script>`;
    await browser.open(
      `${login}?redirect=${encodeURIComponent(sly)}&error=${encodeURIComponent(sly)}&sent=${encodeURIComponent(sly)}`,
    );
    expect(browser.page).not.toContain('<script>');
    expect(browser.page).toContain('value="/&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"');
  });

  it('links to the sign-up page when a domain is allowed', async () => {
    await browser.open(login);
    expect(browser.page).not.toContain('/_cms/admin/signup');
    const admin = await site.as('admin');
    await admin.post('/admin/allowed-domains', { domain: 'corp.example', defaultRole: 20 });
    await browser.open(login);
    expect(browser.page).toContain('href="/_cms/admin/signup"');
  });
});

describe('POST /_cms/admin/login', () => {
  it('returns the same page for known and unknown addresses, and mails only users', async () => {
    await site.another('editor', 'ann');
    await browser.open(login);
    const known = await browser.send({ email: addressOf('ann') });
    await browser.open(login);
    const unknown = await browser.send({ email: addressOf('nobody') });
    expect([known, unknown].map(redirectOf)).toEqual(Array(2).fill([303, `${login}?sent=1`]));
    expect(await site.mailsTo(addressOf('ann'))).toHaveLength(1);
    await browser.open(`${login}?sent=1`);
    expect(browser.page).toContain('If there is an account with this address');
    expect(await site.mailsTo(addressOf('nobody'), 0)).toEqual([]);
  });

  it('redirects to the requested path in the same browser', async () => {
    await site.another('editor', 'returning');
    const next = '/_cms/admin/device?user_code=ABCD-EFGH';
    await browser.open(`${login}?redirect=${encodeURIComponent(next)}`);
    expect(redirectOf(await browser.send({ email: addressOf('returning') }))).toEqual([
      303,
      `${login}?sent=1&redirect=${encodeURIComponent(next)}`,
    ]);
    const [mail] = await site.mailsTo(addressOf('returning'));
    const { pathname, search } = new URL(mail?.link ?? '');
    await browser.open(pathname + search);
    expect(redirectOf(await browser.send())).toEqual([303, next]);
    expect(browser.cookie('cms_session')).toMatch(/^[\w-]{43}$/);
    expect(browser.cookie('cms_link_redirect')).toBeUndefined();
  });

  it('ignores a forged redirect cookie', async () => {
    await site.another('editor', 'lured');
    await browser.open(login);
    await browser.send({ email: addressOf('lured') });
    const [mail] = await site.mailsTo(addressOf('lured'));
    const { pathname, search } = new URL(mail?.link ?? '');
    const page = await site
      .anonymous()
      .get(pathname + search, { headers: { cookie: 'cms_link_redirect=%2F%2Fevil.example' } });
    expect(page.body).not.toContain('evil');
  });

  it('shows the form again for an invalid address, with the entered value', async () => {
    await browser.open(login);
    const response = await browser.send({ email: '"><b>ann' });
    expect(response.status).toBe(400);
    expect(browser.page).toContain('value="&quot;&gt;&lt;b&gt;ann"');
    expect(browser.page).toContain('aria-invalid="true"');
  });

  it('requires the CSRF token of the page', async () => {
    await browser.open(login);
    const email = addressOf('forged');
    await site.another('editor', 'forged');
    for (const csrf of [undefined, '', 'x'.repeat(43)]) {
      await browser.open(login);
      expect((await browser.send({ email, csrf })).status).toBe(403);
    }
    await browser.open(login);
    expect((await browser.send({ email }, { headers: { cookie: undefined } })).status).toBe(403);
    await browser.open(login);
    expect((await browser.send({ email }, { headers: { origin: 'https://evil.example' } })).status).toBe(403);
    await browser.open(login);
    expect((await browser.send({ email }, { headers: { origin: 'null' } })).status).toBe(403);
    expect(await site.mailsTo(email, 0)).toEqual([]);
  });
});
