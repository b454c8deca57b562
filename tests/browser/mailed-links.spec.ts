import { beforeAll, expect, it } from '@jest/globals';
import { mailAddresses, useBrowserSessions } from './support.js';

const { site, openSession } = useBrowserSessions();
const { addressOf, corporateDomain, linkTo } = mailAddresses(site);

beforeAll(async () => {
  const admin = await site.as('admin');
  await admin.post('/admin/allowed-domains', { domain: corporateDomain(), defaultRole: 20 });
});

it('a mailed link signs in once after Continue, and then shows that it has been used', async () => {
  const address = addressOf('ann');
  await site.another('editor', 'ann');
  const ann = await openSession();
  await ann.goTo('/_cms/admin/login');
  await ann.fill('E-mail address', address);
  await ann.press('E-mail me a link');
  await ann.page.getByRole('status').filter({ hasText: 'a link is on its way' }).waitFor();
  const link = await linkTo(address);

  await ann.goTo(link);
  await ann.press('Continue');
  await ann.waitForPath('/_cms/admin');
  await ann.page.getByText('No passkeys registered').waitFor();

  const again = await openSession();
  await again.goTo(link);
  await again.press('Continue');
  await again.waitForPath('/_cms/admin/login');
  expect(await again.alertText()).toBe('This link is unknown or has been used. Request a new one.');
});

it('an invited user creates an account with a passkey, which consumes the link', async () => {
  const admin = await site.as('admin');
  await admin.post('/auth/invite', { email: addressOf('bob'), role: 40 });
  const link = await linkTo(addressOf('bob'));
  const bob = await openSession();
  await bob.addAuthenticator();
  await bob.goTo(link);
  await bob.page.getByText(addressOf('bob')).waitFor();
  await bob.page.getByLabel('Your name').fill('Bob');
  await bob.press('Create a passkey and join');
  await bob.waitForPath('/_cms/admin');
  await bob.heading('Welcome, Bob').waitFor();
  await bob.page.getByText('Editor', { exact: true }).waitFor();

  await bob.press('Sign out');
  await bob.waitForPath('/_cms/admin/login');
  await bob.press('Sign in with a passkey');
  await bob.heading('Welcome, Bob').waitFor();

  await bob.goTo(link);
  await bob.heading('This invitation cannot be used').waitFor();
  await bob.page.getByText('unknown, used, replaced or withdrawn').waitFor();
});

it('a user of an allowed domain signs up', async () => {
  const eve = await openSession();
  await eve.addAuthenticator();
  await eve.goTo('/_cms/admin/login');
  await eve.page.getByRole('link', { name: 'Create one' }).click();
  await eve.fill('E-mail address', `eve@${corporateDomain()}`);
  await eve.press('E-mail me a link');
  await eve.page.getByRole('status').filter({ hasText: 'on its way' }).waitFor();

  await eve.goTo(await linkTo(`eve@${corporateDomain()}`));
  await eve.heading('Create your account').waitFor();
  await eve.press('Create a passkey and join');
  await eve.waitForPath('/_cms/admin');
  await eve.page.getByText(`eve@${corporateDomain()}`).first().waitFor();
  await eve.page.getByText('Contributor').waitFor();
});
