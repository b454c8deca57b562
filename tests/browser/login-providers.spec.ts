import { describe, it } from '@jest/globals';
import { useBrowserSessions, type BrowserSession } from './support.js';

/** Address to which the handle provider redirects browsers. */
const provider = 'https://handles.example/authorize';

const { site, openSession } = useBrowserSessions();

/** Signs in with the handle provider up to its callback. */
async function continueWithHandle(session: BrowserSession): Promise<void> {
  const { called } = await session.application(provider);
  await session.fill('Your handle', 'ann.example');
  await session.press('Continue with Handle');
  const state = (await called).searchParams.get('state') ?? '';
  await session.page.getByRole('heading', { name: 'App' }).waitFor();
  await session.goTo(`/_cms/api/auth/oauth/handle/callback?code=any&state=${state}`);
}

describe('login provider account', () => {
  it('creates the first user with the address entered in the setup, and signs in again', async () => {
    const ann = await openSession();
    await ann.goTo(site.setupPath);
    await ann.fill('Title of the site', 'The Gazette');
    await ann.press('Continue');
    await ann.heading('Create your account').waitFor();
    await ann.fill('E-mail address', 'ann@site.example');
    await continueWithHandle(ann);
    await ann.waitForPath('/_cms/admin');

    const again = await openSession();
    await again.goTo('/_cms/admin/device');
    await again.waitForPath('/_cms/admin/login');
    await continueWithHandle(again);
    await again.waitForPath('/_cms/admin/device');
  });
});
