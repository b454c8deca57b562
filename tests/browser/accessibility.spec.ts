import { beforeAll, describe, expect, it } from '@jest/globals';
import { callTool, openApplication, useSite, type Application, type Client } from '@quire/testing';
import axe from 'axe-core';
import { mailAddresses, useBrowserSessions, type BrowserSession } from './support.js';

const { site, openSession } = useBrowserSessions();
const { addressOf, corporateDomain, linkTo } = mailAddresses(site);
const fresh = useSite({ forBrowsers: true });
let admin: Client;
let agent: Client;
let application: Application;
let invite = '';
let magicLink = '';
let signupLink = '';

beforeAll(async () => {
  admin = await site.as('admin');
  agent = await site.withScopes('admin', ['content:read']);
  await admin.post('/admin/allowed-domains', { domain: corporateDomain(), defaultRole: 20 });
  await admin.post('/auth/invite', { email: addressOf('bob'), role: 30 });
  invite = await linkTo(addressOf('bob'));
  await site.another('editor', 'ann');
  await site.anonymous().post('/auth/magic-link/send', { email: addressOf('ann') });
  magicLink = await linkTo(addressOf('ann'));
  await site.anonymous().post('/auth/signup/request', { email: `eve@${corporateDomain()}` });
  signupLink = await linkTo(`eve@${corporateDomain()}`);
  application = await openApplication(site, { client_name: 'Drafts' });
});

/** A page of each kind: its heading and how to open it, one after the other in the same browser session. */
type PageCase = [heading: string | RegExp, openPage: (session: BrowserSession) => Promise<void>];

const forVisitors: PageCase[] = [
  ['Sign in', (session) => session.goTo('/_cms/admin/login?error=link_expired')],
  ['Sign in', (session) => session.goTo('/_cms/admin/login?sent=1')],
  ['Sign in', (session) => session.goTo(magicLink)],
  ['Join this site', (session) => session.goTo('/_cms/admin/signup')],
  [
    'Join this site',
    async (session) => {
      await session.fill('E-mail address', 'eve');
      await session.press('E-mail me a link');
      expect(await session.alertText()).toBe('Enter your e-mail address.');
    },
  ],
  ['Create your account', (session) => session.goTo(signupLink)],
  ['This link cannot be used', (session) => session.goTo('/_cms/admin/signup?token=x')],
  ['Accept your invitation', (session) => session.goTo(invite)],
  ['This invitation cannot be used', (session) => session.goTo('/_cms/admin/invite/accept?token=x')],
  ['Page not found', (session) => session.goTo('/_cms/admin/nothing')],
];

const forUsers: PageCase[] = [
  ['Welcome', (session) => session.goTo('/_cms/admin')],
  [
    'Welcome',
    async (session) => {
      for (const name of ['Laptop', 'Telephone']) {
        await session.page.getByLabel('Name of a new passkey').fill(name);
        const device = await session.addAuthenticator();
        await session.press('Add a passkey');
        await session.page.getByRole('status').filter({ hasText: 'has been added' }).waitFor();
        await session.page.getByText(name, { exact: true }).first().waitFor();
        await session.removeAuthenticator(device);
      }
      await session.page.getByText('Rename Laptop').click();
      await session.page.getByText('Remove Laptop').click();
    },
  ],
  [
    'Allow Drafts to use your account?',
    (session) => session.goTo(application.address({ scope: 'content:read admin' })),
  ],
  [
    'Transfer',
    async (session) => {
      await admin.post('/admin/transfer/exports');
      await callTool(agent, 'site_export_start');
      await session.goTo('/_cms/admin/settings/transfer');
      await session.page.getByRole('button', { name: /^Approve/ }).waitFor();
    },
  ],
  ['Connect a device', (session) => session.goTo('/_cms/admin/device')],
  [
    'Connect a device',
    async (session) => {
      await session.fill('Code', 'AAAA-AAAA');
      await session.press('Continue');
      await session.alertText();
    },
  ],
  [
    'Allow this device?',
    async (session) => {
      const { data } = await site.anonymous().post('/oauth/device/code', { scope: 'content:read' });
      await session.fill('Code', data.user_code);
      await session.press('Continue');
    },
  ],
  ['Device connected', (session) => session.press('Allow')],
];

const forNewSites: PageCase[] = [
  ['This site is not set up yet', (session) => session.goTo('/_cms/admin')],
  ['This site is not set up yet', (session) => session.goTo('/_cms/admin/setup?token=x')],
  [
    'Set up your site',
    async (session) => {
      await session.goTo(session.site.setupPath);
      await session.goTo('/_cms/admin/setup?step=site');
    },
  ],
  [
    'Create your account',
    async (session) => {
      await session.fill('Title of the site', 'The Gazette');
      await session.press('Continue');
    },
  ],
];

/** The axe violations of the page, one line each. */
async function violations({ page }: BrowserSession): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations: found } = await page.evaluate<axe.AxeResults>('axe.run()');
  return found.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ html }) => html).join(' ')}`);
}

/** Whether the page scrolls horizontally. */
async function isTooWide({ page }: BrowserSession): Promise<boolean> {
  return page.evaluate<boolean>(
    'document.documentElement.scrollWidth > document.documentElement.clientWidth',
  );
}

const schemes = ['light', 'dark'] as const;

describe.each(schemes)('pages in %s colours have no axe violations and fit 320 pixels', (colorScheme) => {
  it.each([
    ['visitors', forVisitors, site, false],
    ['users', forUsers, site, true],
    ['new sites', forNewSites, fresh, false],
  ] as const)('for %s', async (_, pages, at, isUser) => {
    const session = await openSession({ colorScheme, viewport: { width: 320, height: 640 } }, at);
    if (isUser) await session.signIn('admin', `axe-${colorScheme}`);
    const found = [];
    for (const [heading, openPage] of pages) {
      await openPage(session);
      await session.heading(heading).waitFor();
      found.push(...(await violations(session)));
      if (await isTooWide(session)) found.push(`${session.page.url()} is too wide`);
    }
    expect(found).toEqual([]);
  });
});

describe('keyboard navigation', () => {
  const focused = ({ page }: BrowserSession) =>
    page.evaluate<{ text: string; outline: string }>(
      `({ text: (document.activeElement.labels?.[0] ?? document.activeElement).textContent.trim(),
          outline: getComputedStyle(document.activeElement).outlineStyle })`,
    );

  it('signs in, skips to the content and signs out, with visible focus', async () => {
    const session = await openSession();
    await session.addAuthenticator();
    await session.signIn('editor', 'keyboard');
    await session.goTo('/_cms/admin');
    await session.press('Add a passkey');
    await session.page.getByText('has been added').waitFor();
    await session.context.clearCookies();

    await session.goTo('/_cms/admin/login');
    const focusOrder = [await focused(session)];
    while (focusOrder.at(-1)?.text !== 'Create one' && focusOrder.length < 40) {
      await session.page.keyboard.press('Tab');
      focusOrder.push(await focused(session));
    }
    const texts = focusOrder.map(({ text }) => text);
    expect(texts.slice(0, 3)).toEqual(['E-mail address', 'Sign in with a passkey', 'E-mail me a link']);
    expect(texts).toContain('Continue with Google');
    expect(texts.at(-1)).toBe('Create one');
    expect(new Set(focusOrder.map(({ outline }) => outline))).toEqual(new Set(['solid']));
    for (let step = focusOrder.length - 2; step > 0; step -= 1)
      await session.page.keyboard.press('Shift+Tab');
    await session.page.keyboard.press('Enter');
    await session.waitForPath('/_cms/admin');

    await session.page.keyboard.press('Tab');
    expect((await focused(session)).text).toBe('Skip to the content');
    await session.page.keyboard.press('Tab');
    await session.page.keyboard.press('Tab');
    expect((await focused(session)).text).toBe('Sign out');
    await session.page.keyboard.press('Enter');
    await session.waitForPath('/_cms/admin/login');
  });

  it('Enter in the e-mail field signs in with a passkey', async () => {
    const session = await openSession();
    await session.goTo('/_cms/admin/login');
    await session.fill('E-mail address', 'nobody@site.example');
    const request = session.page.waitForRequest(/passkey\/options/);
    await session.page.keyboard.press('Enter');
    expect((await request).postDataJSON()).toEqual({ email: 'nobody@site.example' });
  });
});

it('respects prefers-reduced-motion', async () => {
  const session = await openSession({ reducedMotion: 'reduce' });
  await session.goTo('/_cms/admin/login');
  const duration = "getComputedStyle(document.querySelector('button')).transitionDuration";
  expect(await session.page.evaluate<string>(duration)).toBe('0s');
});

it('respects the color scheme', async () => {
  const backgrounds = [];
  for (const colorScheme of schemes) {
    const session = await openSession({ colorScheme });
    await session.goTo('/_cms/admin/login');
    backgrounds.push(
      await session.page.evaluate<string>('getComputedStyle(document.documentElement).backgroundColor'),
    );
  }
  expect(backgrounds).toEqual(['rgb(243, 243, 247)', 'rgb(18, 19, 26)']);
});

it('injected scripts and styles are blocked by the content security policy', async () => {
  const session = await openSession();
  await session.goTo('/_cms/admin/login');
  const injection = `
    const script = document.createElement('script');
    script.textContent = 'document.title = "injected"';
    document.body.append(script);
    const style = document.createElement('style');
    style.textContent = 'h1 { display: none }';
    document.body.append(style);
    document.title`;
  expect(await session.page.evaluate<string>(injection)).toBe('Sign in – Quire');
  expect(await session.heading('Sign in').isVisible()).toBe(true);
  expect(session.consoleErrors.splice(0)).toHaveLength(2);
});
