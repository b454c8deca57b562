import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { statusAndCode, useSite } from '@quire/testing';

const site = useSite();
let own: string;
let otherSession: string;

beforeAll(async () => {
  own = String((await site.signedIn('editor')).session);
  otherSession = String((await site.signedIn('admin')).session);
});

const meWith = (...cookies: string[]) =>
  site.anonymous().get('/auth/me', { headers: { cookie: cookies.join('; ') } });
const unknown = randomBytes(32).toString('base64url');

describe('session cookies planted by another host of the domain (decision 62)', () => {
  it('do not sign the user out when they are malformed or unknown', async () => {
    for (const invalid of ['invalid', '', unknown, `h.${unknown}`]) {
      const response = await meWith(`cms_session=${invalid}`, `cms_session=${own}`);
      expect([invalid, response.status, response.data.role]).toEqual([invalid, 200, 40]);
      expect((await meWith(`cms_session=${own}`, `cms_session=${invalid}`)).status).toBe(200);
    }
  });

  it('do not switch the user to another account', async () => {
    for (const [first, second] of [
      [own, otherSession],
      [otherSession, own],
    ])
      expect(statusAndCode(await meWith(`cms_session=${first}`, `cms_session=${second}`))).toEqual([
        401,
        'NOT_AUTHENTICATED',
      ]);
  });

  it('of the same session count as one', async () => {
    expect((await meWith(`cms_session=${own}`, `cms_session=${own}`)).data.role).toBe(40);
  });

  it('are ignored under the __Host- name on http', async () => {
    expect(statusAndCode(await meWith(`__Host-cms_session=${own}`))).toEqual([401, 'NOT_AUTHENTICATED']);
    expect((await meWith(`__Host-cms_session=${otherSession}`, `cms_session=${own}`)).data.role).toBe(40);
  });
});

describe('POST /auth/logout', () => {
  it('clears only the browser cache (Clear-Site-Data)', async () => {
    const client = await site.signedIn('author', 'leaver');
    const response = await client.post('/auth/logout');
    expect([response.status, response.headers.get('clear-site-data')]).toEqual([200, '"cache"']);
  });
});
