import { describe, expect, it } from '@jest/globals';
import {
  addPasskey,
  logIn,
  openApplication,
  SoftwareAuthenticator,
  useSite,
  type ReceivedMail,
} from '@quire/testing';
import { addressesOf } from './support.js';

const site = useSite();

const addressOf = addressesOf(site);
const subjects = (mails: ReceivedMail[]) => mails.map(({ headers }) => headers['subject']);

describe('mail to the user', () => {
  it('reports a new passkey', async () => {
    await addPasskey(site, await site.signedIn('editor', 'ann'), new SoftwareAuthenticator(), 'Laptop');
    const [mail] = await site.mailsTo(addressOf('ann'));
    expect(mail?.headers['subject']).toBe(`A new passkey at ${site.host}`);
    expect(mail?.text).toContain('A new passkey “Laptop” was added to your account');
  });

  it('reports a new personal token without its value', async () => {
    const client = await site.signedIn('admin', 'bob');
    const { token } = (
      await client.post('/admin/api-tokens', { name: 'Deployment', scopes: ['content:read'] })
    ).data;
    const [mail] = await site.mailsTo(addressOf('bob'));
    expect(mail?.text).toContain('A new personal access token “Deployment” was created');
    expect(mail?.text + (mail?.html ?? '')).not.toContain(String(token).slice(0, 12));
  });

  it('reports each approved application and device', async () => {
    const client = await site.signedIn('editor', 'cid');
    const application = await openApplication(site, { client_name: 'Drafts' });
    const { access_token } = await application.tokens(client);
    const [mail] = await site.mailsTo(addressOf('cid'));
    expect(mail?.text).toContain('The application “Drafts” was authorised to use your account');
    expect(mail?.text).not.toContain(access_token.slice(0, 12));
    const device = (await site.anonymous().post('/oauth/device/code', { scope: 'content:read' })).data;
    await client.post('/oauth/device/authorize', { user_code: device.user_code });
    await site.anonymous().post('/oauth/token', {
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      device_code: device.device_code,
    });
    const mails = await site.mailsTo(addressOf('cid'), 2);
    expect(mails[1]?.text).toContain('An unregistered application was authorised to use your account');
  });

  it('reports only sign-ins from a new browser', async () => {
    const key = new SoftwareAuthenticator();
    await addPasskey(site, await site.signedIn('editor', 'dan'), key);
    const from = (browser: string) => ({ request: { headers: { 'user-agent': browser } } });
    const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
    for (const browser of [firefox, firefox.replaceAll('140', '141'), 'curl/8'])
      expect((await logIn(site, key, from(browser))).status).toBe(200);
    await logIn(site, key, from('curl/8'));
    const mails = await site.mailsTo(addressOf('dan'), 2);
    expect(subjects(mails)).toEqual([
      `A new passkey at ${site.host}`,
      `A sign-in from a new browser at ${site.host}`,
    ]);
    expect(mails[1]?.text).toContain('A new browser “Unknown browser” was used');
  });

  it('contains no link with a token', async () => {
    const [mail] = await site.mailsTo(addressOf('ann'));
    expect(mail?.link).toBe(`http://${site.host}/_cms/admin`);
  });
});
