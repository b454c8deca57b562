import { expect, it } from '@jest/globals';
import { openApplication, openSite, testSystem } from '@quire/testing';
import { useBrowserSessions } from './support.js';

const { site, openSession } = useBrowserSessions({ javaScriptEnabled: false });

it('signs in with a mailed link and signs out', async () => {
  const address = `ann@${site.tenant}.example`;
  await site.another('editor', 'ann');
  const ann = await openSession();
  await ann.goTo('/_cms/admin/login');
  expect(await ann.page.getByRole('button', { name: 'passkey' }).count()).toBe(0);
  expect(await ann.noscriptText()).toBe('Signing in with a passkey needs JavaScript.');
  await ann.page.getByLabel('E-mail address').fill(address);
  await ann.page.getByLabel('E-mail address').press('Enter');
  await ann.page.getByRole('status').waitFor();
  await ann.goTo((await site.mailsTo(address))[0]?.link ?? '');
  await ann.press('Continue');
  await ann.waitForPath('/_cms/admin');
  await ann.press('Sign out');
  await ann.waitForPath('/_cms/admin/login');
});

it('approves a device', async () => {
  const { data } = await site.anonymous().post('/oauth/device/code', { scope: 'content:read' });
  const editor = await openSession();
  await editor.signIn('editor');
  await editor.goTo('/_cms/admin/device');
  await editor.fill('Code', data.user_code);
  await editor.press('Continue');
  await editor.press('Allow');
  await editor.heading('Device connected').waitFor();
});

it('approves an application', async () => {
  const application = await openApplication(site, { client_name: 'Drafts' });
  const editor = await openSession();
  await editor.signIn('editor');
  const { called } = await editor.application(application.redirectUri);
  await editor.goTo(application.address({ scope: 'content:read media:read' }));
  await editor.page.getByLabel('Read content').uncheck();
  await editor.press('Allow');
  const code = (await called).searchParams.get('code') ?? '';
  expect((await application.exchange(code)).body).toMatchObject({ scope: 'media:read' });
});

it('sets the title of a new site and reports that the passkey needs a script', async () => {
  const fresh = await openSite(testSystem(), { forBrowsers: true });
  const session = await openSession({}, fresh);
  await session.goTo(fresh.setupPath);
  await session.fill('Title of the site', 'The Gazette');
  await session.press('Continue');
  await session.heading('Create your account').waitFor();
  expect(await session.noscriptText()).toMatch(/^Creating a passkey needs JavaScript/);
  expect(await session.page.getByRole('button', { name: /passkey/ }).count()).toBe(0);
  await fresh.close();
});
