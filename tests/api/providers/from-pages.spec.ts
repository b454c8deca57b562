import { describe, expect, it } from '@jest/globals';
import { PageBrowser, type ApiResponse, type Site } from '@quire/testing';
import { Browser, locationOf, loginErrorOf, onNewSite, stateOf } from './support.js';

const setup = '/_cms/admin/setup';
const redirectOf = (response: ApiResponse) => [response.status, locationOf(response)];

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

describe('POST /_cms/admin/setup with a login provider (document 1, Login methods 5)', () => {
  const choice = { provider: 'handle', 'handle.handle': 'ann.example' };

  it('creates the first user with the entered address and name', () =>
    onNewSite(async (site) => {
      const browser = await atAccountStep(site);
      const sent = await browser.send({ ...choice, email: 'Ann@Site.example', name: ' Ann ' });
      expect(redirectOf(sent)).toEqual([303, '/_cms/api/auth/oauth/handle?handle=ann.example']);
      expect(redirectOf(await confirm(browser, sent))).toEqual([302, '/_cms/admin']);
      expect(await site.sql('SELECT email, name, role FROM users')).toEqual([
        { email: 'ann@site.example', name: 'Ann', role: 50 },
      ]);
    }));

  it('shows a provider error in the setup and accepts another attempt', () =>
    onNewSite(async (site) => {
      const browser = await atAccountStep(site);
      const rejected = await confirm(browser, await browser.send(choice));
      expect(loginErrorOf(rejected)).toBe('invalid_state');
      const setupError = await browser.open(locationOf(rejected));
      expect(redirectOf(setupError)).toEqual([302, `${setup}?error=invalid_state`]);
      await browser.open(locationOf(setupError));
      expect(browser.page).toContain('Enter your e-mail address');
      const sent = await browser.send({ ...choice, email: 'ann@site.example' });
      expect(redirectOf(await confirm(browser, sent))).toEqual([302, '/_cms/admin']);
    }));

  it.each([
    ['an invalid address', { email: 'ann' }, 'Enter your e-mail address.'],
    ['a name that is too long', { email: 'a@b.example', name: 'x'.repeat(201) }, 'Enter a name'],
    ['an unknown provider', { email: 'a@b.example', provider: 'unset' }, 'This sign-in method is unknown'],
  ])('shows an error for %s and keeps the entered values', (_, changes, message) =>
    onNewSite(async (site) => {
      const browser = await atAccountStep(site);
      const response = await browser.send({ ...choice, ...changes });
      expect(response.status).toBe(400);
      expect(browser.page).toContain(message);
      expect(browser.page).toContain(`value="${changes.email}"`);
      expect(browser.page).toContain('value="ann.example"');
      expect(await site.sql('SELECT email FROM setup_attempts')).toEqual([]);
    }),
  );

  it('requires the CSRF token of the page, and redirects once there is a user', () =>
    onNewSite(async (site) => {
      const browser = await atAccountStep(site);
      expect((await browser.send({ ...choice, csrf: 'x'.repeat(43) })).status).toBe(403);
      await browser.open(setup);
      await site.as('admin');
      const late = await browser.send({ ...choice, email: 'a@b.example' });
      expect(redirectOf(late)).toEqual([303, '/_cms/admin/login']);
    }));
});

describe('login provider on the login page', () => {
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
      const response = await new Browser(site).google(account, { redirect: '/日本?a="b' });
      expect(redirectOf(response)).toEqual([302, '/%E6%97%A5%E6%9C%AC?a="b']);
    }));
});
