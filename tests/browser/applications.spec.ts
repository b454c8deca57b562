import { beforeAll, describe, expect, it } from '@jest/globals';
import { openApplication, type Application } from '@quire/testing';
import { createPasskey, useBrowserSessions, type BrowserSession } from './support.js';

const { site, openSession } = useBrowserSessions();
let application: Application;
let editor: BrowserSession;
const remote = 'https://app.example/callback';
const local = 'http://127.0.0.1:50123/callback';

beforeAll(async () => {
  const redirect_uris = [remote, 'http://127.0.0.1/callback'];
  const grant_types = ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'];
  application = await openApplication(site, { redirect_uris, client_name: 'Drafts', grant_types });
});

describe('application that requests access', () => {
  it.each([remote, local])('at %s gets a code for only the checked scopes', async (redirect_uri) => {
    editor = await openSession();
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
  });

  it('is redirected with access_denied after Deny', async () => {
    editor = await openSession();
    await editor.signIn('editor');
    const { called } = await editor.application(application.redirectUri);
    await editor.goTo(application.address());
    await editor.press('Deny');
    expect(Object.fromEntries((await called).searchParams)).toMatchObject({
      error: 'access_denied',
      state: 's-1',
    });
  });

  it('redirects the user through the login and back', async () => {
    const address = `ann@${site.tenant}.example`;
    await site.another('editor', 'ann');
    const ann = await openSession();
    await ann.goTo(application.address());
    await ann.waitForPath('/_cms/admin/login');
    await ann.fill('E-mail address', address);
    await ann.press('E-mail me a link');
    await ann.page.getByRole('status').waitFor();
    await ann.goTo((await site.mailsTo(address))[0]?.link ?? '');
    await ann.press('Continue');
    await ann.heading('Allow Drafts to use your account?').waitFor();
  });
});

describe('self-registered application that requests sensitive scopes', () => {
  it('gets them when the user checks them and uses a passkey', async () => {
    const ann = await openSession();
    await ann.signIn('admin', 'ann-admin');
    await createPasskey(ann);
    await ann.signIn('admin', 'ann-admin', 11);
    const { called } = await ann.application(remote);
    await ann.goTo(application.address({ scope: 'content:read admin', redirect_uri: remote }));
    await ann.page.getByText('registered itself').waitFor();
    const box = ann.page.getByLabel('Do everything that an administrator can');
    expect(await box.isChecked()).toBe(false);
    await box.check();
    await ann.press('Allow');
    const tokens = await application.exchange((await called).searchParams.get('code') ?? '');
    expect(tokens.body).toMatchObject({ scope: 'content:read admin' });
  });

  it('does not get them without a passkey', async () => {
    const bob = await openSession();
    await bob.signIn('admin', 'bob-admin');
    const device = await bob.addAuthenticator();
    await bob.goTo('/_cms/admin');
    await bob.press('Add a passkey');
    await bob.page.getByRole('status').filter({ hasText: 'has been added' }).waitFor();
    await bob.removeAuthenticator(device);
    await bob.goTo(application.address({ scope: 'admin', redirect_uri: remote }));
    await bob.page.getByLabel('Do everything that an administrator can').check();
    await bob.addAuthenticator();
    await bob.press('Allow');
    expect(await bob.alertText()).toMatch(/^No passkey was used/);
  });

  it('gets them on a device when the user uses a passkey', async () => {
    const cid = await openSession();
    await cid.signIn('admin', 'cid-admin');
    await createPasskey(cid);
    const input = { client_id: application.id, scope: 'admin' };
    const { user_code } = (await site.anonymous().post('/oauth/device/code', input)).data;
    await cid.goTo(`/_cms/admin/device?user_code=${user_code}`);
    await cid.press('Continue');
    await cid.page.getByText('registered itself').waitFor();
    await cid.press('Allow');
    await cid.heading('Device connected').waitFor();
  });
});

describe('user with an old sign-in who adds a passkey', () => {
  it('uses an existing passkey first', async () => {
    const dan = await openSession();
    await dan.signIn('editor', 'dan');
    await createPasskey(dan);
    await dan.signIn('editor', 'dan', 11);
    await dan.goTo('/_cms/admin');
    await dan.press('Add a passkey');
    expect(await dan.alertText()).toBe('This device already has a passkey for your account.');
    const [session] = await site.sql(
      "SELECT 1 FROM audit_log WHERE action = 'session.reauthenticated' AND actor_id IS NOT NULL",
    );
    expect(session).toBeDefined();
  });

  it('signs in again without a passkey and returns', async () => {
    const eve = await openSession();
    await eve.signIn('editor', 'eve', 11);
    await eve.goTo('/_cms/admin');
    await eve.addAuthenticator();
    await eve.press('Add a passkey');
    await eve.heading('Sign in again').waitFor();
    const address = `eve@${site.tenant}.example`;
    await eve.fill('E-mail address', address);
    await eve.press('E-mail me a link');
    await eve.page.getByRole('status').waitFor();
    await eve.goTo((await site.mailsTo(address))[0]?.link ?? '');
    await eve.press('Continue');
    await eve.waitForPath('/_cms/admin');
    await eve.press('Add a passkey');
    await eve.page.getByRole('status').filter({ hasText: 'has been added' }).waitFor();
  });
});

describe('device that requests access', () => {
  const device = async () =>
    (await site.anonymous().post('/oauth/device/code', { client_id: application.id, scope: 'content:read' }))
      .data as { user_code: string; device_code: string; verification_uri: string };
  const poll = (device_code: string) =>
    site.anonymous().post('/oauth/device/token', {
      device_code,
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
    });

  it('gets tokens after its code is entered and allowed', async () => {
    const { user_code, device_code, verification_uri } = await device();
    editor = await openSession();
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

  it('gets access_denied after Deny', async () => {
    const { user_code, device_code } = await device();
    editor = await openSession();
    await editor.signIn('editor');
    await editor.goTo(`/_cms/admin/device?user_code=${user_code}`);
    await editor.press('Continue');
    await editor.press('Deny');
    await editor.heading('Device denied').waitFor();
    expect((await poll(device_code)).body).toMatchObject({ error: 'access_denied' });
  });

  it('shows an error for a wrong code, which can be corrected', async () => {
    editor = await openSession();
    await editor.signIn('editor');
    await editor.goTo('/_cms/admin/device');
    await editor.fill('Code', 'AAAA-AAAA');
    await editor.press('Continue');
    expect(await editor.alertText()).toMatch(/^There is no such code/);
    await editor.fill('Code', (await device()).user_code);
    await editor.press('Continue');
    await editor.heading('Allow this device?').waitFor();
  });
});
