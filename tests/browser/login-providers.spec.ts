import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Site } from '@quire/testing';
import { closeBrowser, openBrowserSite, openVisitors, type Visitor } from './lab/visitor.js';

/** Where the provider of handles leads browsers to. */
const provider = 'https://handles.example/authorize';

let site: Site;
const visitors = openVisitors(() => site);

beforeAll(async () => {
  site = await openBrowserSite();
});
afterEach(async () => {
  expect(await visitors.close()).toEqual([]);
});
afterAll(async () => {
  await closeBrowser();
  await site.close();
});

/** Chooses the provider of handles, is let in there, and comes back. */
async function continueWithHandle(visitor: Visitor): Promise<void> {
  const { called } = await visitor.application(provider);
  await visitor.fill('Your handle', 'ann.example');
  await visitor.press('Continue with Handle');
  const state = (await called).searchParams.get('state') ?? '';
  await visitor.page.getByRole('heading', { name: 'App' }).waitFor();
  await visitor.goTo(`/_cms/api/auth/oauth/handle/callback?code=any&state=${state}`);
}

describe('an account at a login provider', () => {
  it('makes the first user, by the address that is typed in the setup, and signs in again', async () => {
    const ann = await visitors.visitor();
    await ann.goTo(site.setupPath);
    await ann.fill('Title of the site', 'The Gazette');
    await ann.press('Continue');
    await ann.heading('Make your account').waitFor();
    await ann.fill('E-mail address', 'ann@site.example');
    await continueWithHandle(ann);
    await ann.arrivesAt('/_cms/admin');

    const again = await visitors.visitor();
    await again.goTo('/_cms/admin/device');
    await again.arrivesAt('/_cms/admin/login');
    await continueWithHandle(again);
    await again.arrivesAt('/_cms/admin/device');
  });
});
