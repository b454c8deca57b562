import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openSite, statusAndCode, type Client, type Site } from '@quire/testing';

let site: Site;
let admin: Client;

beforeAll(async () => {
  site = await openSite();
  admin = await site.signedIn('admin');
});
afterAll(() => site.close());

const send = (headers: Record<string, string>) =>
  site.anonymous().post('/auth/magic-link/send', { email: 'nobody@site.example' }, { headers });
const rejected = [403, 'CSRF_REJECTED'];

describe('the Origin of a public write (document 1, Comments; contract 4)', () => {
  it('of the site itself is let through', async () => {
    expect((await send({ origin: `http://${site.host}` })).status).toBe(200);
  });

  it('of the installation, of another scheme, port or site is 403 CSRF_REJECTED', async () => {
    const { port } = new URL(site.system.origin);
    const origins = [
      site.system.origin,
      `http://localhost:${port}`,
      `https://${site.host}`,
      `http://${site.host}:81`,
      'http://another.example',
    ];
    for (const origin of origins)
      expect([origin, ...statusAndCode(await send({ origin }))]).toEqual([origin, ...rejected]);
  });
});

describe('a write with a session that a page of another origin sends (document 1, CSRF rule)', () => {
  const dismiss = (fetchSite: string) =>
    admin.post('/auth/me', { action: 'dismissWelcome' }, { headers: { 'sec-fetch-site': fetchSite } });

  it.each(['cross-site', 'same-site'])('%s is 403 CSRF_REJECTED, with the header too', async (fetchSite) => {
    expect(statusAndCode(await dismiss(fetchSite))).toEqual(rejected);
  });

  it.each(['same-origin', 'none'])('%s is let through with the header', async (fetchSite) => {
    expect((await dismiss(fetchSite)).status).toBe(200);
  });

  it('may read', async () => {
    expect((await admin.get('/auth/me', { headers: { 'sec-fetch-site': 'cross-site' } })).status).toBe(200);
  });

  it('is let through with a token, which no browser adds by itself', async () => {
    const client = await site.as('admin');
    const headers = { 'sec-fetch-site': 'cross-site', cookie: `cms_session=${admin.session}` };
    expect((await client.post('/auth/me', { action: 'dismissWelcome' }, { headers })).status).toBe(200);
  });
});
