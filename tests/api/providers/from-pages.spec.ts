import { describe, expect, it } from '@jest/globals';
import { openSite, PageBrowser, type ApiResponse, type Site } from '@quire/testing';
import { Browser, locationOf, loginErrorOf, stateOf } from './support.js';

const setup = '/_cms/admin/setup';
const target = (answer: ApiResponse) => [answer.status, locationOf(answer)];

async function onNewSite(work: (site: Site) => Promise<void>): Promise<void> {
  const site = await openSite();
  await work(site);
  await site.close();
}

/** A browser at the second step of the setup. */
async function atAccountStep(site: Site): Promise<PageBrowser> {
  const browser = new PageBrowser(site);
  await browser.open(site.setupPath);
  await browser.open(setup);
  await browser.send({ title: 'My site', includeContent: undefined });
  await browser.open(setup);
  return browser;
}

/** Follows the redirect to the provider of handles, and back. */
async function confirm(browser: PageBrowser, sent: ApiResponse): Promise<ApiResponse> {
  const away = await browser.open(locationOf(sent));
  const state = stateOf(locationOf(away));
  return browser.open(`/_cms/api/auth/oauth/handle/callback?code=any&state=${state}`);
}

describe('the first user who chooses a login provider in the setup (document 1, Login methods 5)', () => {
  const choice = { provider: 'handle', 'handle.handle': 'ann.example' };

  it('gets the entered address and name', () =>
    onNewSite(async (site) => {
      const browser = await atAccountStep(site);
      const sent = await browser.send({ ...choice, email: 'Ann@Site.example', name: ' Ann ' });
      expect(target(sent)).toEqual([303, '/_cms/api/auth/oauth/handle?handle=ann.example']);
      expect(target(await confirm(browser, sent))).toEqual([302, '/_cms/admin']);
      expect(await site.sql('SELECT email, name, role FROM users')).toEqual([
        { email: 'ann@site.example', name: 'Ann', role: 50 },
      ]);
    }));

  it('sees the error in the setup and can enter more there', () =>
    onNewSite(async (site) => {
      const browser = await atAccountStep(site);
      const back = await confirm(browser, await browser.send(choice));
      expect(loginErrorOf(back)).toBe('invalid_state');
      const led = await browser.open(locationOf(back));
      expect(target(led)).toEqual([302, `${setup}?error=invalid_state`]);
      await browser.open(locationOf(led));
      expect(browser.page).toContain('Enter your e-mail address');
      const sent = await browser.send({ ...choice, email: 'ann@site.example' });
      expect(target(await confirm(browser, sent))).toEqual([302, '/_cms/admin']);
    }));

  it.each([
    ['an address that is none', { email: 'ann' }, 'Enter your e-mail address.'],
    ['a name that is too long', { email: 'a@b.example', name: 'x'.repeat(201) }, 'Enter a name'],
    ['a provider that is none', { email: 'a@b.example', provider: 'unset' }, 'not known here'],
  ])('sees an error for %s, with the entered values kept', (_, changes, message) =>
    onNewSite(async (site) => {
      const browser = await atAccountStep(site);
      const answer = await browser.send({ ...choice, ...changes });
      expect(answer.status).toBe(400);
      expect(browser.page).toContain(message);
      expect(browser.page).toContain(`value="${changes.email}"`);
      expect(browser.page).toContain('value="ann.example"');
      expect(await site.sql('SELECT email FROM setup_attempts')).toEqual([]);
    }),
  );

  it('needs the CSRF token of the page, while there is no user', () =>
    onNewSite(async (site) => {
      const browser = await atAccountStep(site);
      expect((await browser.send({ ...choice, csrf: 'x'.repeat(43) })).status).toBe(403);
      await browser.open(setup);
      await site.as('admin');
      const late = await browser.send({ ...choice, email: 'a@b.example' });
      expect(target(late)).toEqual([303, '/_cms/admin/login']);
    }));
});

describe('a login provider on the login page', () => {
  it('redirects to the requested path, in any script', () =>
    onNewSite(async (site) => {
      await site.another('author', 'ann');
      const browser = new PageBrowser(site);
      await browser.open(`/_cms/admin/login?redirect=${encodeURIComponent('/日本?a="b')}`);
      const [, form = ''] =
        /<form action="[^"]*" data-offer="google">([^]*?)<\/form>/.exec(browser.page) ?? [];
      const [, redirect = ''] = /name="redirect" value="([^"]*)"/.exec(form) ?? [];
      expect(redirect).toBe('/日本?a=&quot;b');
      const account = { sub: 'ann', email: `ann@${site.tenant}.example`, email_verified: true };
      const answer = await new Browser(site).google(account, { redirect: '/日本?a="b' });
      expect(target(answer)).toEqual([302, '/%E6%97%A5%E6%9C%AC?a="b']);
    }));
});
