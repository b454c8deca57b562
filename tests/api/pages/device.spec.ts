import { beforeEach, describe, expect, it } from '@jest/globals';
import { openApplication, openSite, PageBrowser, useSite, type ApiResponse } from '@quire/testing';

const site = useSite();
let browser: PageBrowser;
beforeEach(async () => {
  browser = new PageBrowser(site, (await site.signedIn('editor')).session);
});

const page = '/_cms/admin/device';
const grantType = 'urn:ietf:params:oauth:grant-type:device_code';

async function device(input: object = {}): Promise<{ user_code: string; device_code: string }> {
  return (await site.anonymous().post('/oauth/device/code', input)).data;
}
const poll = (device_code: string) =>
  site.anonymous().post('/oauth/device/token', { device_code, grant_type: grantType });
const errorOf = ({ body }: ApiResponse) => (body as { error?: string }).error;

describe('/_cms/admin/device (contract 32)', () => {
  it('redirects anonymous users to the login and back with the code', async () => {
    const visitor = new PageBrowser(site);
    const response = await visitor.open(`${page}?user_code=ABCD-EFGH`);
    const back = encodeURIComponent(`${page}?user_code=ABCD-EFGH`);
    expect([response.status, response.headers.get('location')]).toEqual([
      302,
      `/_cms/admin/login?redirect=${back}`,
    ]);
    const token = await site.as('admin');
    expect((await token.get(page)).status).toBe(302);
  });

  it('fills in the code of the query without deciding', async () => {
    const { user_code, device_code } = await device();
    await browser.open(`${page}?user_code=${user_code}`);
    expect(browser.page).toContain(`value="${user_code}"`);
    expect(errorOf(await poll(device_code))).toBe('authorization_pending');
    await browser.open(`${page}?user_code=${encodeURIComponent('"><script>')}`);
    expect(browser.page).toContain('value="&quot;&gt;&lt;script&gt;"');
  });

  it('shows the application, the scopes and the user', async () => {
    const app = await openApplication(site, {
      client_name: '<b>Television</b>',
      grant_types: [grantType],
      scope: 'content:read media:read',
    });
    const { user_code } = await device({
      client_id: app.id,
      scope: 'content:read media:read schema:read admin',
    });
    await browser.open(page);
    await browser.send({ user_code: ` ${user_code.toLowerCase()} ` });
    expect(browser.page).toContain('<strong>&lt;b&gt;Television&lt;/b&gt;</strong>');
    expect(browser.page).toContain(`<strong>editor@${site.tenant}.example</strong>`);
    expect(browser.page).toContain(`<code>${user_code}</code>`);
    expect([...browser.page.matchAll(/<li>([^<]*)<\/li>/g)].map(([, text]) => text)).toEqual([
      'Read content',
      'Read media',
    ]);
  });

  it('approves the device', async () => {
    const { user_code, device_code } = await device({ scope: 'content:read' });
    await browser.open(page);
    await browser.send({ user_code });
    const response = await browser.send({ action: 'approve' });
    expect([response.status, browser.page.includes('Device connected')]).toEqual([200, true]);
    expect((await poll(device_code)).data).toMatchObject({ scope: 'content:read' });
  });

  it('denies the device', async () => {
    const { user_code, device_code } = await device();
    await browser.open(page);
    await browser.send({ user_code });
    await browser.send({ action: 'deny' });
    expect(browser.page).toContain('denied access');
    expect(errorOf(await poll(device_code))).toBe('access_denied');
  });

  it('shows an error for an invalid code and keeps the entered value', async () => {
    const { user_code } = await device();
    await browser.open(page);
    expect((await browser.send({ user_code: '<script>' })).status).toBe(400);
    expect(browser.page).toContain('There is no such code');
    expect(browser.page).toContain('value="&lt;script&gt;"');
    await site.sql("UPDATE oauth_device_codes SET expires_at = now() - interval '1 minute'");
    expect((await browser.send({ user_code })).status).toBe(400);
    expect(browser.page).toContain('too old');
  });

  it('offers no approval when the role allows no scope', async () => {
    const reader = new PageBrowser(site, (await site.signedIn('subscriber')).session);
    const { user_code } = await device({ scope: 'schema:write' });
    await reader.open(page);
    await reader.send({ user_code });
    expect(reader.page).toContain('Your role allows nothing');
    expect(reader.page).not.toContain('value="approve"');
    await reader.open(page);
    expect((await reader.send({ user_code, action: 'approve' })).status).toBe(403);
  });

  it('requires the CSRF token of the page', async () => {
    const { user_code, device_code } = await device();
    for (const csrf of [undefined, 'x'.repeat(43)]) {
      await browser.open(page);
      expect((await browser.send({ user_code, action: 'approve', csrf })).status).toBe(403);
    }
    expect(errorOf(await poll(device_code))).toBe('authorization_pending');
  });

  it('returns 400 for a code of another site', async () => {
    const { user_code } = await device();
    const other = await openSite();
    const otherBrowser = new PageBrowser(other, (await other.signedIn('admin')).session);
    await otherBrowser.open(page);
    expect((await otherBrowser.send({ user_code })).status).toBe(400);
    await other.close();
  });
});
