import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openSite, statusAndCode, type Site } from '@quire/testing';

let site: Site;
let own: string;
let others: string;

beforeAll(async () => {
  site = await openSite();
  own = String((await site.signedIn('editor')).session);
  others = String((await site.signedIn('admin')).session);
});
afterAll(() => site.close());

const meWith = (...cookies: string[]) =>
  site.anonymous().get('/auth/me', { headers: { cookie: cookies.join('; ') } });
const unknown = randomBytes(32).toString('base64url');

describe('session cookies that another host of the domain has planted (decision 62)', () => {
  it('do not sign the user out when they are junk, unknown or over', async () => {
    for (const junk of ['junk', '', unknown, `h.${unknown}`]) {
      const answer = await meWith(`cms_session=${junk}`, `cms_session=${own}`);
      expect([junk, answer.status, answer.data.role]).toEqual([junk, 200, 40]);
      expect((await meWith(`cms_session=${own}`, `cms_session=${junk}`)).status).toBe(200);
    }
  });

  it('do not switch the user to another account', async () => {
    for (const [first, second] of [
      [own, others],
      [others, own],
    ])
      expect(statusAndCode(await meWith(`cms_session=${first}`, `cms_session=${second}`))).toEqual([
        401,
        'NOT_AUTHENTICATED',
      ]);
  });

  it('of the same session count as one', async () => {
    expect((await meWith(`cms_session=${own}`, `cms_session=${own}`)).data.role).toBe(40);
  });

  it('do not count under the name that only the site can set', async () => {
    expect(statusAndCode(await meWith(`__Host-cms_session=${own}`))).toEqual([401, 'NOT_AUTHENTICATED']);
    expect((await meWith(`__Host-cms_session=${others}`, `cms_session=${own}`)).data.role).toBe(40);
  });
});

describe('POST /auth/logout', () => {
  it('has the browser forget pages, and neither unsaved texts nor cookies of other hosts', async () => {
    const client = await site.signedIn('author', 'leaver');
    const answer = await client.post('/auth/logout');
    expect([answer.status, answer.headers.get('clear-site-data')]).toEqual([200, '"cache"']);
  });
});
