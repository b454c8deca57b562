import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { openApplication, type Application, type Site } from '@quire/testing';
import axe from 'axe-core';
import { closeBrowser, openBrowserSite, BrowserSession } from './support/browser-session.js';

let site: Site;
let fresh: Site;
let application: Application;
let invite = '';
let magicLink = '';
let signupLink = '';
const open: BrowserSession[] = [];

// Sites share the mail server: each has addresses of its own.
const addressOf = (name: string) => `${name}@${site.tenant}.example`;
const corp = () => `corp-${site.tenant}.example`;
const linkTo = async (address: string) => (await site.mailsTo(address)).at(-1)?.link ?? '';

beforeAll(async () => {
  [site, fresh] = [await openBrowserSite(), await openBrowserSite()];
  const admin = await site.as('admin');
  await admin.post('/admin/allowed-domains', { domain: corp(), defaultRole: 20 });
  await admin.post('/auth/invite', { email: addressOf('bob'), role: 30 });
  invite = await linkTo(addressOf('bob'));
  await site.another('editor', 'ann');
  await site.anonymous().post('/auth/magic-link/send', { email: addressOf('ann') });
  magicLink = await linkTo(addressOf('ann'));
  await site.anonymous().post('/auth/signup/request', { email: `eve@${corp()}` });
  signupLink = await linkTo(`eve@${corp()}`);
  application = await openApplication(site, { client_name: 'Drafts' });
});
afterEach(async () => {
  const told = open.flatMap(({ consoleErrors, externalRequests }) => [...consoleErrors, ...externalRequests]);
  await Promise.all(open.splice(0).map((visitor) => visitor.close()));
  expect(told).toEqual([]);
});
afterAll(async () => {
  await closeBrowser();
  await site.close();
  await fresh.close();
});

async function visitor(
  at: Site,
  options: Parameters<typeof BrowserSession.open>[1],
): Promise<BrowserSession> {
  const opened = await BrowserSession.open(at, options);
  open.push(opened);
  return opened;
}

/** A page of each kind: how one comes to it, one page after the other in the same browser. */
type PageCase = [heading: string | RegExp, comeTo: (visitor: BrowserSession) => Promise<void>];

const forAnybody: PageCase[] = [
  ['Sign in', (it) => it.goTo('/_cms/admin/login?error=link_expired')],
  ['Sign in', (it) => it.goTo('/_cms/admin/login?sent=1')],
  ['Sign in', (it) => it.goTo(magicLink)],
  ['Join this site', (it) => it.goTo('/_cms/admin/signup')],
  [
    'Join this site',
    async (it) => {
      await it.fill('E-mail address', 'eve');
      await it.press('E-mail me a link');
      expect(await it.problem()).toBe('Enter your e-mail address.');
    },
  ],
  ['Make your account', (it) => it.goTo(signupLink)],
  ['This link cannot be used', (it) => it.goTo('/_cms/admin/signup?token=x')],
  ['Accept your invitation', (it) => it.goTo(invite)],
  ['This invitation cannot be used', (it) => it.goTo('/_cms/admin/invite/accept?token=x')],
  ['There is no such page', (it) => it.goTo('/_cms/admin/nothing')],
];

const forUsers: PageCase[] = [
  ['Welcome', (it) => it.goTo('/_cms/admin')],
  [
    'Welcome',
    async (it) => {
      for (const name of ['Laptop', 'Telephone']) {
        await it.page.getByLabel('Name of a new passkey').fill(name);
        const device = await it.addAuthenticator();
        await it.press('Add a passkey');
        await it.page.getByRole('status').filter({ hasText: 'has been added' }).waitFor();
        await it.page.getByText(name, { exact: true }).first().waitFor();
        await it.removeAuthenticator(device);
      }
      await it.page.getByText('Rename Laptop').click();
      await it.page.getByText('Remove Laptop').click();
    },
  ],
  [
    'Allow Drafts to use your account?',
    (it) => it.goTo(application.address({ scope: 'content:read admin' })),
  ],
  ['Connect a device', (it) => it.goTo('/_cms/admin/device')],
  [
    'Connect a device',
    async (it) => {
      await it.fill('Code', 'AAAA-AAAA');
      await it.press('Continue');
      await it.problem();
    },
  ],
  [
    'Allow this device?',
    async (it) => {
      const { data } = await site.anonymous().post('/oauth/device/code', { scope: 'content:read' });
      await it.fill('Code', data.user_code);
      await it.press('Continue');
    },
  ],
  ['Device connected', (it) => it.press('Allow')],
];

const unauthenticatedPages: PageCase[] = [
  ['This site is not set up yet', (it) => it.goTo('/_cms/admin')],
  ['This site is not set up yet', (it) => it.goTo('/_cms/admin/setup?token=x')],
  [
    'Set up your site',
    async (it) => {
      await it.goTo(it.site.setupPath);
      await it.goTo('/_cms/admin/setup?step=site');
    },
  ],
  [
    'Make your account',
    async (it) => {
      await it.fill('Title of the site', 'The Gazette');
      await it.press('Continue');
    },
  ],
];

/** What axe finds wrong with the page, in one line each. */
async function violations({ page }: BrowserSession): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations: found } = await page.evaluate<axe.AxeResults>('axe.run()');
  return found.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ html }) => html).join(' ')}`);
}

/** Whether one has to scroll sideways. */
async function isTooWide({ page }: BrowserSession): Promise<boolean> {
  return page.evaluate<boolean>(
    'document.documentElement.scrollWidth > document.documentElement.clientWidth',
  );
}

const schemes = ['light', 'dark'] as const;

describe.each(schemes)(
  'in %s colours every page is without fault, and fits a screen of 320 pixels',
  (colorScheme) => {
    it.each([
      ['anybody', forAnybody, () => site, false],
      ['users', forUsers, () => site, true],
      ['newcomers', unauthenticatedPages, () => fresh, false],
    ] as const)('those for %s', async (_, ways, at, isUser) => {
      const someone = await visitor(at(), { colorScheme, viewport: { width: 320, height: 640 } });
      if (isUser) await someone.signIn('admin', `axe-${colorScheme}`);
      const found = [];
      for (const [heading, comeTo] of ways) {
        await comeTo(someone);
        await someone.heading(heading).waitFor();
        found.push(...(await violations(someone)));
        if (await isTooWide(someone)) found.push(`${someone.page.url()} is too wide`);
      }
      expect(found).toEqual([]);
    });
  },
);

describe('with the keyboard alone', () => {
  const focused = ({ page }: BrowserSession) =>
    page.evaluate<{ text: string; outline: string }>(
      `({ text: (document.activeElement.labels?.[0] ?? document.activeElement).textContent.trim(),
          outline: getComputedStyle(document.activeElement).outlineStyle })`,
    );

  it('signs in, skips to the content and signs out, with visible focus', async () => {
    const someone = await visitor(site, {});
    await someone.addAuthenticator();
    await someone.signIn('editor', 'keyboard');
    await someone.goTo('/_cms/admin');
    await someone.press('Add a passkey');
    await someone.page.getByText('has been added').waitFor();
    await someone.context.clearCookies();

    await someone.goTo('/_cms/admin/login');
    const seen = [await focused(someone)];
    while (seen.at(-1)?.text !== 'Make one' && seen.length < 40) {
      await someone.page.keyboard.press('Tab');
      seen.push(await focused(someone));
    }
    const texts = seen.map(({ text }) => text);
    expect(texts.slice(0, 3)).toEqual(['E-mail address', 'Sign in with a passkey', 'E-mail me a link']);
    expect(texts).toContain('Continue with Google');
    expect(texts.at(-1)).toBe('Make one');
    expect(new Set(seen.map(({ outline }) => outline))).toEqual(new Set(['solid']));
    for (let step = seen.length - 2; step > 0; step -= 1) await someone.page.keyboard.press('Shift+Tab');
    await someone.page.keyboard.press('Enter');
    await someone.waitForPath('/_cms/admin');

    await someone.page.keyboard.press('Tab');
    expect((await focused(someone)).text).toBe('Skip to the content');
    await someone.page.keyboard.press('Tab');
    await someone.page.keyboard.press('Tab');
    expect((await focused(someone)).text).toBe('Sign out');
    await someone.page.keyboard.press('Enter');
    await someone.waitForPath('/_cms/admin/login');
  });

  it('Enter in the e-mail field signs in with a passkey', async () => {
    const someone = await visitor(site, {});
    await someone.goTo('/_cms/admin/login');
    await someone.fill('E-mail address', 'nobody@site.example');
    const asked = someone.page.waitForRequest(/passkey\/options/);
    await someone.page.keyboard.press('Enter');
    expect((await asked).postDataJSON()).toEqual({ email: 'nobody@site.example' });
  });
});

it('respects prefers-reduced-motion', async () => {
  const someone = await visitor(site, { reducedMotion: 'reduce' });
  await someone.goTo('/_cms/admin/login');
  const duration = "getComputedStyle(document.querySelector('button')).transitionDuration";
  expect(await someone.page.evaluate<string>(duration)).toBe('0s');
});

it('respects the color scheme', async () => {
  const grounds = [];
  for (const colorScheme of schemes) {
    const someone = await visitor(site, { colorScheme });
    await someone.goTo('/_cms/admin/login');
    grounds.push(
      await someone.page.evaluate<string>('getComputedStyle(document.documentElement).backgroundColor'),
    );
  }
  expect(grounds).toEqual(['rgb(243, 243, 247)', 'rgb(18, 19, 26)']);
});

it('injected scripts and styles are blocked by the content security policy', async () => {
  const someone = await visitor(site, {});
  await someone.goTo('/_cms/admin/login');
  const smuggle = `
    const script = document.createElement('script');
    script.textContent = 'document.title = "smuggled"';
    document.body.append(script);
    const style = document.createElement('style');
    style.textContent = 'h1 { display: none }';
    document.body.append(style);
    document.title`;
  expect(await someone.page.evaluate<string>(smuggle)).toBe('Sign in – Quire');
  expect(await someone.heading('Sign in').isVisible()).toBe(true);
  expect(someone.consoleErrors.splice(0)).toHaveLength(2);
});
