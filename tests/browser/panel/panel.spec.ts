import { describe, expect, it } from '@jest/globals';
import { createPasskey, useBrowserSessions, type BrowserSession } from '../support.js';
import { isTooWide, panel, violations } from './support.js';

const { openSession } = useBrowserSessions();

/** Opens a path of the panel as a user, and waits for its screen. */
async function openPanel(
  session: BrowserSession,
  { path = '', heading = /Welcome|Home/ }: { path?: string; heading?: string | RegExp } = {},
): Promise<void> {
  await session.goTo(`${panel}${path}`);
  await session.heading(heading).waitFor();
}

const palette = ({ page }: BrowserSession) => page.getByRole('dialog', { name: 'Go to' });
const sessionDialog = ({ page }: BrowserSession) =>
  page.getByRole('dialog', { name: 'Your session has ended' });

/** Ends the session, and lets the panel notice it as when its tab gets the focus again. */
async function endSession(session: BrowserSession): Promise<void> {
  // The panel knows its user, so no earlier request is on its way.
  await session.page.getByRole('button', { name: 'Sign out' }).waitFor();
  await session.context.clearCookies({ name: 'cms_session' });
  await session.page.evaluate("window.dispatchEvent(new Event('visibilitychange'))");
  await sessionDialog(session).waitFor();
}

describe('the panel', () => {
  it('leads a visitor through the login to the requested screen', async () => {
    const session = await openSession();
    await session.signIn('editor', 'returning');
    await createPasskey(session);
    await session.context.clearCookies();
    await session.goTo(`${panel}/preferences`);
    await session.waitForPath('/_cms/admin/login');
    await session.press('Sign in with a passkey');
    await session.waitForPath(`${panel}/preferences`);
    await session.heading('Preferences').waitFor();
  });

  it('shows the site, the user and the destinations of the role', async () => {
    const session = await openSession();
    await session.signIn('editor', 'eva');
    await openPanel(session);
    const { page } = session;
    await page.getByRole('main').getByText('Your role is editor.').waitFor();
    expect(await page.title()).toMatch(/ – /);
    const labels = await page.getByRole('navigation').getByRole('link').allTextContents();
    expect(labels).toEqual(['Home', 'Preferences', 'Account', 'Connect a device']);
    await page.getByRole('navigation').getByRole('link', { name: 'Account' }).click();
    await session.waitForPath('/_cms/admin');
    await session.heading('Welcome').waitFor();
  });

  it('shows administrators the transfer page, and signs out', async () => {
    const session = await openSession();
    await session.signIn('admin', 'ada');
    await openPanel(session);
    await session.page.getByRole('navigation').getByRole('link', { name: 'Transfer' }).waitFor();
    await session.press('Sign out');
    await session.waitForPath('/_cms/admin/login');
    await session.goTo(panel);
    await session.waitForPath('/_cms/admin/login');
  });

  it('is not for subscribers', async () => {
    const session = await openSession();
    await session.signIn('subscriber', 'sue');
    await session.goTo(panel);
    await session.heading('Not allowed').waitFor();
  });

  it('shows a screen of its own at an unknown path', async () => {
    const session = await openSession();
    await session.signIn('editor', 'lost');
    await openPanel(session, { path: '/nothing/here', heading: 'Screen not found' });
    await session.page.getByRole('link', { name: 'Go to the start of the panel' }).click();
    await session.heading(/Welcome|Home/).waitFor();
    expect(session.path().replace(/\/$/, '')).toBe(panel);
  });

  it('links to the account page without JavaScript', async () => {
    const session = await openSession({ javaScriptEnabled: false });
    await session.signIn('editor', 'noscript');
    await session.goTo(panel);
    expect(await session.noscriptText()).toContain('The admin panel needs JavaScript.');
  });
});

describe('the palette', () => {
  it('opens with Ctrl+K, finds a screen and goes there, by keyboard only', async () => {
    const session = await openSession();
    await session.signIn('editor', 'keys');
    await openPanel(session);
    const { keyboard } = session.page;
    await keyboard.press('Control+k');
    await palette(session).waitFor();
    await keyboard.type('prefer');
    await session.page.getByRole('menuitem').nth(1).waitFor({ state: 'detached' });
    await keyboard.press('Enter');
    await session.heading('Preferences').waitFor();
    await session.waitForPath(`${panel}/preferences`);
    expect(await session.page.evaluate<string>('document.activeElement.id')).toBe('main');
    await keyboard.press('Control+k');
    await palette(session).waitFor();
    await keyboard.press('Escape');
    await palette(session).waitFor({ state: 'detached' });
  });
});

describe('preferences', () => {
  it('select colors and language, also after a reload', async () => {
    const session = await openSession({ colorScheme: 'light' });
    await session.signIn('editor', 'taste');
    await openPanel(session, { path: '/preferences', heading: 'Preferences' });
    await session.page.getByLabel('Dark').check();
    await session.page.getByLabel('Deutsch').check();
    await session.heading('Einstellungen').waitFor();
    await session.page.reload();
    await session.heading('Einstellungen').waitFor();
    const look = `[document.documentElement.lang, getComputedStyle(document.documentElement).backgroundColor]`;
    expect(await session.page.evaluate(look)).toEqual(['de', 'rgb(18, 19, 26)']);
  });

  it('take every text from the catalogue', async () => {
    const session = await openSession();
    await session.signIn('admin', 'pseudo');
    const stored = JSON.stringify({ language: 'en-XA' });
    await session.context.addInitScript(`localStorage.setItem('quire-panel-preferences', '${stored}')`);
    await openPanel(session, { path: '/preferences', heading: /^\[Préféréncés/ });
    const texts = await session.page
      .locator('nav a, main p, main legend, main label, header button span')
      .allTextContents();
    expect(texts.filter((text) => !/^\[.*\]$/.test(text.trim()) && text !== 'Deutsch')).toEqual([]);
  });
});

describe('an ended session', () => {
  it('is renewed with a passkey over the unchanged screen', async () => {
    const session = await openSession();
    await session.signIn('editor', 'tired');
    await createPasskey(session);
    await openPanel(session, { path: '/preferences', heading: 'Preferences' });
    await endSession(session);
    await session.page.keyboard.press('Escape');
    await sessionDialog(session).getByRole('button', { name: 'Sign in with a passkey' }).click();
    await sessionDialog(session).waitFor({ state: 'detached' });
    expect(session.path()).toBe(`${panel}/preferences`);
  });

  it('is renewed by a sign-in in another tab', async () => {
    const session = await openSession();
    await session.signIn('editor', 'elsewhere');
    await openPanel(session);
    await endSession(session);
    const link = sessionDialog(session).getByRole('link', { name: 'Other ways to sign in' });
    const redirect = new URL((await link.getAttribute('href')) ?? '', 'http://site').searchParams.get(
      'redirect',
    );
    await session.signIn('editor', 'elsewhere');
    const tab = await session.context.newPage();
    await tab.goto(redirect ?? '');
    await tab.getByRole('heading', { name: 'You are signed in' }).waitFor();
    await sessionDialog(session).waitFor({ state: 'detached' });
  });
});

describe.each(['light', 'dark'] as const)('screens in %s colors have no axe violations', (colorScheme) => {
  it.each([320, 1280])('and fit %i pixels', async (width) => {
    const session = await openSession({ colorScheme, viewport: { width, height: 720 } });
    await session.signIn('admin', `axe-${colorScheme}-${width}`);
    const found: string[] = [];
    const examine = async (state: string) => {
      found.push(...(await violations(session)).map((violation) => `${state}: ${violation}`));
      if (await isTooWide(session)) found.push(`${state} is too wide`);
    };
    await openPanel(session);
    await examine('home');
    await openPanel(session, { path: '/preferences', heading: 'Preferences' });
    await examine('preferences');
    await openPanel(session, { path: '/nothing', heading: 'Screen not found' });
    await examine('unknown path');
    await session.page.keyboard.press('Control+k');
    await palette(session).waitFor();
    await examine('palette');
    await session.page.keyboard.press('Escape');
    await endSession(session);
    await examine('ended session');
    expect(found).toEqual([]);
  });
});
