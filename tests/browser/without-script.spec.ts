import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { openApplication, type Site } from '@quire/testing';
import { closeBrowser, openBrowserSite, openVisitors, Visitor } from './lab/visitor.js';

let site: Site;
const visitors = openVisitors(() => site);
const visitor = () => visitors.visitor({ javaScriptEnabled: false });

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

it('one signs in with a mailed link, by Enter in the field, and signs out', async () => {
  const address = `ann@${site.tenant}.example`;
  await site.another('editor', 'ann');
  const ann = await visitor();
  await ann.goTo('/_cms/admin/login');
  expect(await ann.page.getByRole('button', { name: 'passkey' }).count()).toBe(0);
  expect(await ann.withoutScript()).toBe('Signing in with a passkey needs JavaScript.');
  await ann.page.getByLabel('E-mail address').fill(address);
  await ann.page.getByLabel('E-mail address').press('Enter');
  await ann.page.getByRole('status').waitFor();
  await ann.goTo((await site.mailsTo(address))[0]?.link ?? '');
  await ann.press('Continue');
  await ann.arrivesAt('/_cms/admin');
  await ann.press('Sign out');
  await ann.arrivesAt('/_cms/admin/login');
});

it('one lets a device in', async () => {
  const { data } = await site.anonymous().post('/oauth/device/code', { scope: 'content:read' });
  const editor = await visitor();
  await editor.signIn('editor');
  await editor.goTo('/_cms/admin/device');
  await editor.fill('Code', data.user_code);
  await editor.press('Continue');
  await editor.press('Allow');
  await editor.heading('Device connected').waitFor();
});

it('one lets an application in', async () => {
  const application = await openApplication(site, { client_name: 'Drafts' });
  const editor = await visitor();
  await editor.signIn('editor');
  const { called } = await editor.application(application.redirectUri);
  await editor.goTo(application.address({ scope: 'content:read media:read' }));
  await editor.page.getByLabel('Read content').uncheck();
  await editor.press('Allow');
  const code = (await called).searchParams.get('code') ?? '';
  expect((await application.exchange(code)).body).toMatchObject({ scope: 'media:read' });
});

it('one gives a new site its title, and learns that the passkey needs a script', async () => {
  const fresh = await openBrowserSite();
  const newcomer = await Visitor.open(fresh, { javaScriptEnabled: false });
  await newcomer.goTo(fresh.setupPath);
  await newcomer.fill('Title of the site', 'The Gazette');
  await newcomer.press('Continue');
  await newcomer.heading('Make your account').waitFor();
  expect(await newcomer.withoutScript()).toMatch(/^Making a passkey needs JavaScript/);
  expect(await newcomer.page.getByRole('button', { name: /passkey/ }).count()).toBe(0);
  expect([...newcomer.complaints, ...newcomer.strangers]).toEqual([]);
  await newcomer.close();
  await fresh.close();
});
