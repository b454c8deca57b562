import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type Site } from '@quire/testing';
import {
  closeBrowser,
  openBrowserSite,
  openBrowserSessions,
  type BrowserSession,
} from './support/browser-session.js';

/** Address to which the handle provider redirects browsers. */
const provider = 'https://handles.example/authorize';

let site: Site;
const browserSessions = openBrowserSessions(() => site);

beforeAll(async () => {
  site = await openBrowserSite();
});
afterEach(async () => {
  expect(await browserSessions.close()).toEqual([]);
});
afterAll(async () => {
  await closeBrowser();
  await site.close();
});

/** Signs in with the handle provider up to its callback. */
async function continueWithHandle(visitor: BrowserSession): Promise<void> {
  const { called } = await visitor.application(provider);
  await visitor.fill('Your handle', 'ann.example');
  await visitor.press('Continue with Handle');
  const state = (await called).searchParams.get('state') ?? '';
  await visitor.page.getByRole('heading', { name: 'App' }).waitFor();
  await visitor.goTo(`/_cms/api/auth/oauth/handle/callback?code=any&state=${state}`);
}

describe('login provider account', () => {
  it('creates the first user with the address entered in the setup, and signs in again', async () => {
    const ann = await browserSessions.visitor();
    await ann.goTo(site.setupPath);
    await ann.fill('Title of the site', 'The Gazette');
    await ann.press('Continue');
    await ann.heading('Make your account').waitFor();
    await ann.fill('E-mail address', 'ann@site.example');
    await continueWithHandle(ann);
    await ann.waitForPath('/_cms/admin');

    const again = await browserSessions.visitor();
    await again.goTo('/_cms/admin/device');
    await again.waitForPath('/_cms/admin/login');
    await continueWithHandle(again);
    await again.waitForPath('/_cms/admin/device');
  });
});
