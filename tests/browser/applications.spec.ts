import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { openApplication, type Application, type Site } from '@quire/testing';
import { closeBrowser, openBrowserSite, openVisitors, type Visitor } from './lab/visitor.js';

let site: Site;
let application: Application;
let editor: Visitor;
const visitors = openVisitors(() => site);
const remote = 'https://app.example/callback';
const local = 'http://127.0.0.1:50123/callback';

beforeAll(async () => {
  site = await openBrowserSite();
  const redirect_uris = [remote, 'http://127.0.0.1/callback'];
  application = await openApplication(site, { redirect_uris, client_name: 'Drafts' });
});
afterEach(async () => {
  expect(await visitors.close()).toEqual([]);
});
afterAll(async () => {
  await closeBrowser();
  await site.close();
});

describe('an application that asks for access', () => {
  it.each([remote, local])(
    'at %s gets a code for what is left checked, and no more',
    async (redirect_uri) => {
      editor = await visitors.visitor();
      await editor.signIn('editor');
      const { called } = await editor.application(redirect_uri);
      await editor.goTo(application.address({ scope: 'content:read media:read', redirect_uri }));
      await editor.heading('Allow Drafts to use your account?').waitFor();
      await editor.page.getByLabel('Read media').uncheck();
      await editor.press('Allow');
      const { searchParams } = await called;
      expect(searchParams.get('state')).toBe('s-1');
      const tokens = await application.exchange(searchParams.get('code') ?? '', { redirect_uri });
      expect(tokens.body).toMatchObject({ scope: 'content:read' });
    },
  );

  it('learns that it was denied', async () => {
    editor = await visitors.visitor();
    await editor.signIn('editor');
    const { called } = await editor.application(application.redirectUri);
    await editor.goTo(application.address());
    await editor.press('Deny');
    expect(Object.fromEntries((await called).searchParams)).toEqual({ error: 'access_denied', state: 's-1' });
  });

  it('sends who is not signed in through the login, and he comes back to it', async () => {
    const address = `ann@${site.tenant}.example`;
    await site.another('editor', 'ann');
    const ann = await visitors.visitor();
    await ann.goTo(application.address());
    await ann.arrivesAt('/_cms/admin/login');
    await ann.fill('E-mail address', address);
    await ann.press('E-mail me a link');
    await ann.page.getByRole('status').waitFor();
    await ann.goTo((await site.mailsTo(address))[0]?.link ?? '');
    await ann.press('Continue');
    await ann.heading('Allow Drafts to use your account?').waitFor();
  });
});

describe('a device that asks for access', () => {
  const device = async () =>
    (await site.anonymous().post('/oauth/device/code', { client_id: application.id, scope: 'content:read' }))
      .data as { user_code: string; device_code: string; verification_uri: string };
  const poll = (device_code: string) =>
    site.anonymous().post('/oauth/device/token', {
      device_code,
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
    });

  it('gets its tokens when its code has been typed and allowed', async () => {
    const { user_code, device_code, verification_uri } = await device();
    editor = await visitors.visitor();
    await editor.signIn('editor');
    await editor.goTo(verification_uri);
    await editor.fill('Code', user_code.toLowerCase().replace('-', ''));
    await editor.press('Continue');
    await editor.heading('Allow this device?').waitFor();
    await editor.page.getByText('Drafts').waitFor();
    await editor.page.getByText('Read content').waitFor();
    await editor.press('Allow');
    await editor.heading('Device connected').waitFor();
    expect((await poll(device_code)).data).toMatchObject({ scope: 'content:read', token_type: 'Bearer' });
  });

  it('is turned away', async () => {
    const { user_code, device_code } = await device();
    editor = await visitors.visitor();
    await editor.signIn('editor');
    await editor.goTo(`/_cms/admin/device?user_code=${user_code}`);
    await editor.press('Continue');
    await editor.press('Deny');
    await editor.heading('Device turned away').waitFor();
    expect((await poll(device_code)).body).toMatchObject({ error: 'access_denied' });
  });

  it('is not found by a wrong code, which can be typed again', async () => {
    editor = await visitors.visitor();
    await editor.signIn('editor');
    await editor.goTo('/_cms/admin/device');
    await editor.fill('Code', 'AAAA-AAAA');
    await editor.press('Continue');
    expect(await editor.problem()).toMatch(/^There is no such code/);
    await editor.fill('Code', (await device()).user_code);
    await editor.press('Continue');
    await editor.heading('Allow this device?').waitFor();
  });
});
