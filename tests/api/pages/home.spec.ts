import { beforeAll, describe, expect, it } from '@jest/globals';
import { addPasskey, PageBrowser, SoftwareAuthenticator, useSite, type Client } from '@quire/testing';
import { redirectOf } from './support.js';

const site = useSite();

beforeAll(async () => {
  const admin = await site.as('admin');
  await admin.post('/settings', { title: 'The <Gazette>' });
});

const home = '/_cms/admin';

/** Signs in an editor and opens the start page. */
async function atHome(name: string): Promise<{ browser: PageBrowser; client: Client }> {
  const client = await site.signedIn('editor', name);
  const browser = new PageBrowser(site, client.session);
  await browser.open(home);
  return { browser, client };
}

const passkeyIds = async (client: Client) =>
  ((await client.get('/auth/passkey')).data.items as { id: string }[]).map(({ id }) => id);

describe('GET /_cms/admin (contract 4)', () => {
  it('redirects anonymous users to the login and back', async () => {
    const login = `/_cms/admin/login?redirect=${encodeURIComponent(home)}`;
    expect(redirectOf(await new PageBrowser(site).open(home))).toEqual([302, login]);
    expect(redirectOf(await new PageBrowser(site, 'unknown').open(home))).toEqual([302, login]);
    expect(redirectOf(await (await site.as('admin')).get(home))).toEqual([302, login]);
  });

  it('shows the site, the user and their sessions', async () => {
    const { browser } = await atHome('ann');
    expect(browser.page).toContain('<span>The &lt;Gazette&gt;</span>');
    expect(browser.page).toContain(`<dd>ann@${site.tenant}.example</dd>`);
    expect(browser.page).toContain('<dd>Editor</dd>');
    expect(browser.page).toContain('No passkeys registered');
    expect(browser.page).toContain('This browser');
  });

  it('escapes names of users and passkeys', async () => {
    const { browser, client } = await atHome('sly');
    await addPasskey(site, client, new SoftwareAuthenticator(), '"><script>');
    await site.sql(`UPDATE users SET name = '<script>' WHERE email LIKE 'sly@%'`);
    await site.sql(`UPDATE sessions SET client_address = '<img src=x>'`);
    await browser.open(home);
    expect(browser.page).toContain('Welcome, &lt;script&gt;');
    expect(browser.page).toContain('&quot;&gt;&lt;script&gt;');
    expect(browser.page).not.toMatch(/<script>|<img/);
  });

  it('shows notices only for known codes', async () => {
    const { browser } = await atHome('notified');
    await browser.open(`${home}?done=passkey-added`);
    expect(browser.page).toContain('The passkey has been added.');
    await browser.open(`${home}?done=${encodeURIComponent('<b>You won')}`);
    expect(browser.page).not.toContain('You won');
  });
});

describe('POST /_cms/admin', () => {
  it('renames and removes passkeys, but not the last one', async () => {
    const { browser, client } = await atHome('keys');
    await addPasskey(site, client, new SoftwareAuthenticator(), 'Laptop');
    await addPasskey(site, client, new SoftwareAuthenticator(), 'Phone');
    const [laptop = '', phone = ''] = await passkeyIds(client);
    await browser.open(home);
    expect(redirectOf(await browser.send({ action: 'rename-passkey', id: laptop, name: 'Desk' }))).toEqual([
      303,
      `${home}?done=passkey-renamed`,
    ]);
    await browser.open(home);
    expect(browser.page).toContain('<strong>Desk</strong>');
    expect(redirectOf(await browser.send({ action: 'remove-passkey', id: phone }))).toEqual([
      303,
      `${home}?done=passkey-removed`,
    ]);
    await browser.open(home);
    expect(browser.page).not.toContain('Remove this passkey');
    const last = await browser.send({ action: 'remove-passkey', id: laptop });
    expect([last.status, browser.page.includes('The last passkey cannot be removed.')]).toEqual([400, true]);
    expect(await passkeyIds(client)).toEqual([laptop]);
  });

  it('revokes another session of the user', async () => {
    const { browser } = await atHome('everywhere');
    const other = await site.signedIn('editor', 'everywhere');
    const { data } = await other.get('/auth/sessions');
    const { id } = (data.items as { id: string; isCurrent: boolean }[]).find(
      ({ isCurrent }) => isCurrent,
    ) ?? { id: '' };
    await browser.open(home);
    expect(redirectOf(await browser.send({ action: 'end-session', id }))).toEqual([
      303,
      `${home}?done=session-ended`,
    ]);
    await browser.open(home);
    expect(browser.page.match(/last seen/g)).toHaveLength(1);
  });

  it('returns 404 for passkeys and sessions of other users', async () => {
    const { browser } = await atHome('nosy');
    const victim = await site.signedIn('editor', 'victim');
    await addPasskey(site, victim, new SoftwareAuthenticator(), 'Mine');
    const [id = ''] = await passkeyIds(victim);
    const session = ((await victim.get('/auth/sessions')).data.items as { id: string }[])[0]?.id ?? '';
    expect((await browser.send({ action: 'rename-passkey', id, name: 'Yours' })).status).toBe(404);
    expect((await browser.send({ action: 'remove-passkey', id })).status).toBe(404);
    expect((await browser.send({ action: 'end-session', id: session })).status).toBe(404);
    expect((await victim.get('/auth/passkey')).data.items).toMatchObject([{ name: 'Mine' }]);
  });

  it('signs out', async () => {
    const { browser } = await atHome('leaving');
    expect(redirectOf(await browser.send({ action: 'sign-out' }))).toEqual([303, '/_cms/admin/login']);
    expect(browser.cookie('cms_session')).toBeUndefined();
    expect((await browser.open(home)).status).toBe(302);
    expect(
      await site.sql(
        "SELECT 1 FROM sessions s JOIN users u ON u.id = s.user_id WHERE email LIKE 'leaving@%'",
      ),
    ).toEqual([]);
  });

  it('requires the CSRF token of the page', async () => {
    const { browser } = await atHome('careful');
    for (const csrf of [undefined, 'x'.repeat(43)]) {
      await browser.open(home);
      expect((await browser.send({ action: 'sign-out', csrf })).status).toBe(403);
    }
    await browser.open(home);
    const headers = { origin: 'https://evil.example' };
    expect((await browser.send({ action: 'sign-out' }, { headers })).status).toBe(403);
    expect((await browser.open(home)).status).toBe(200);
  });

  it('returns 400 for an unknown action', async () => {
    const { browser } = await atHome('inventive');
    expect((await browser.send({ action: 'explode' })).status).toBe(400);
  });
});
