import { beforeAll, describe, expect, it } from '@jest/globals';
import { statusAndCode, useSite, type Client } from '@quire/testing';

const site = useSite();
let admin: Client;

beforeAll(async () => {
  admin = await site.signedIn('admin');
});

const send = (headers: Record<string, string>) =>
  site.anonymous().post('/auth/magic-link/send', { email: 'nobody@site.example' }, { headers });
const rejected = [403, 'CSRF_REJECTED'];

describe('Origin of a public write (document 1, Comments; contract 4)', () => {
  it('is accepted for the site itself', async () => {
    expect((await send({ origin: `http://${site.host}` })).status).toBe(200);
  });

  it('returns 403 CSRF_REJECTED for the installation and another scheme, port or site', async () => {
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

describe('Sec-Fetch-Site of a session write (document 1, CSRF rule)', () => {
  const dismiss = (fetchSite: string) =>
    admin.post('/auth/me', { action: 'dismissWelcome' }, { headers: { 'sec-fetch-site': fetchSite } });

  it.each(['cross-site', 'same-site'])(
    '%s returns 403 CSRF_REJECTED despite X-CMS-Request',
    async (fetchSite) => {
      expect(statusAndCode(await dismiss(fetchSite))).toEqual(rejected);
    },
  );

  it.each(['same-origin', 'none'])('%s is accepted with X-CMS-Request', async (fetchSite) => {
    expect((await dismiss(fetchSite)).status).toBe(200);
  });

  it('is ignored for reads', async () => {
    expect((await admin.get('/auth/me', { headers: { 'sec-fetch-site': 'cross-site' } })).status).toBe(200);
  });

  it('is ignored for a token, which browsers do not add by themselves', async () => {
    const client = await site.as('admin');
    const headers = { 'sec-fetch-site': 'cross-site', cookie: `cms_session=${admin.session}` };
    expect((await client.post('/auth/me', { action: 'dismissWelcome' }, { headers })).status).toBe(200);
  });
});
