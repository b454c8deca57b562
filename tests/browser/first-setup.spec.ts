import { describe, expect, it } from '@jest/globals';
import { useBrowserSessions, type BrowserSession } from './support.js';

const { site, openSession } = useBrowserSessions();

/** Completes the setup of a new site. @returns the id of the device with the passkey of the first user */
async function setUp(ann: BrowserSession): Promise<string> {
  const device = await ann.addAuthenticator();
  await ann.goTo('/_cms');
  await ann.heading('This site is not set up yet').waitFor();
  await ann.goTo(site.setupPath);
  await ann.waitForPath('/_cms/admin/setup');
  await ann.fill('Title of the site', 'The Gazette');
  await ann.press('Continue');
  await ann.heading('Create your account').waitFor();
  await ann.fill('E-mail address', 'ann@site.example');
  await ann.page.getByLabel('Name').fill('Ann');
  await ann.press('Create a passkey and finish');
  await ann.waitForPath('/_cms/admin');
  return device;
}

async function signOut(ann: BrowserSession): Promise<void> {
  await ann.press('Sign out');
  await ann.waitForPath('/_cms/admin/login');
}

describe('first user of a new site', () => {
  it('completes the setup, signs out, and signs in with each of two passkeys', async () => {
    const ann = await openSession();
    const laptop = await setUp(ann);
    await ann.heading('Welcome, Ann').waitFor();
    expect(await ann.page.getByRole('banner').textContent()).toContain('The Gazette');
    expect(await ann.page.getByText('Remove').count()).toBe(0);

    await signOut(ann);
    await ann.goTo('/_cms/admin');
    await ann.waitForPath('/_cms/admin/login');
    await ann.press('Sign in with a passkey');
    await ann.waitForPath('/_cms/admin');

    await ann.removeAuthenticator(laptop);
    await ann.addAuthenticator();
    await ann.page.getByLabel('Name of a new passkey').fill('Telephone');
    await ann.press('Add a passkey');
    await ann.page.getByRole('status').filter({ hasText: 'has been added' }).waitFor();
    await ann.page.getByText('Telephone', { exact: true }).first().waitFor();

    await signOut(ann);
    await ann.fill('E-mail address', 'ann@site.example');
    await ann.press('Sign in with a passkey');
    await ann.waitForPath('/_cms/admin');
    await ann.heading('Welcome, Ann').waitFor();
  });
});

describe('sign-in with a passkey', () => {
  /** A user with a passkey, signed out. */
  async function withPasskey(name: string): Promise<BrowserSession> {
    const user = await openSession();
    await user.addAuthenticator();
    await user.signIn('editor', name);
    await user.goTo('/_cms/admin');
    await user.press('Add a passkey');
    await user.page.getByRole('status').filter({ hasText: 'has been added' }).waitFor();
    await signOut(user);
    return user;
  }

  it('redirects to the requested path', async () => {
    const bob = await withPasskey('bob');
    await bob.goTo('/_cms/admin/device?user_code=ABCD-EFGH');
    await bob.waitForPath('/_cms/admin/login');
    await bob.press('Sign in with a passkey');
    await bob.waitForPath('/_cms/admin/device');
    expect(await bob.page.getByLabel('Code').inputValue()).toBe('ABCD-EFGH');
  });

  it('shows an error for a deleted passkey and can be retried', async () => {
    const eve = await withPasskey('eve');
    await site.sql("DELETE FROM passkeys p USING users u WHERE u.id = p.user_id AND u.email LIKE 'eve@%'");
    for (let time = 0; time < 2; time += 1) {
      await eve.press('Sign in with a passkey');
      expect(await eve.alertText()).toBe('Passkey authentication failed.');
    }
    expect(eve.path()).toBe('/_cms/admin/login');
  });

  it('shows an error when cancelled', async () => {
    const dan = await openSession();
    await dan.page.addInitScript(
      "navigator.credentials.get = () => Promise.reject(new DOMException('', 'NotAllowedError'))",
    );
    await dan.goTo('/_cms/admin/login');
    await dan.press('Sign in with a passkey');
    expect(await dan.alertText()).toMatch(/^No passkey was used/);
    expect(await dan.page.getByRole('button', { name: 'passkey' }).isEnabled()).toBe(true);
  });

  it('shows a notice in an unsupported browser and offers the link', async () => {
    const old = await openSession();
    await old.page.addInitScript('delete PublicKeyCredential.parseRequestOptionsFromJSON');
    await old.goTo('/_cms/admin/login');
    expect(await old.alertText()).toMatch(/^This browser cannot use passkeys/);
    expect(await old.page.getByRole('button', { name: 'passkey' }).isEnabled()).toBe(false);
    expect(await old.page.getByRole('button', { name: 'E-mail me a link' }).isEnabled()).toBe(true);
  });
});

describe('passkeys on the start page', () => {
  it('are renamed and removed; a device with a passkey cannot add a second one', async () => {
    const cat = await openSession();
    const first = await cat.addAuthenticator();
    await cat.signIn('editor', 'cat');
    await cat.goTo('/_cms/admin');
    await cat.page.getByText('No passkeys registered').waitFor();
    await cat.page.getByLabel('Name of a new passkey').fill('Old');
    await cat.press('Add a passkey');
    await cat.page.getByText('has been added').waitFor();
    await cat.press('Add a passkey');
    expect(await cat.alertText()).toBe('This device already has a passkey for your account.');

    await cat.page.getByText('Rename Old').click();
    await cat.page.getByLabel('New name').fill('Desk');
    await cat.press('Save');
    await cat.page.getByText('The passkey has been renamed.').waitFor();

    await cat.removeAuthenticator(first);
    await cat.addAuthenticator();
    await cat.press('Add a passkey');
    await cat.page.getByText('has been added').waitFor();
    await cat.page.getByText('Remove Desk').click();
    await cat.press('Remove this passkey');
    await cat.page.getByText('The passkey has been removed').waitFor();
    expect(await cat.page.getByText('Desk').count()).toBe(0);
  });
});
