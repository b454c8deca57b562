import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, openSite, type Client, type Site } from '@quire/testing';
import { request } from 'undici';

let site: Site;
let admin: Client;

beforeAll(async () => {
  site = await openSite();
  admin = await site.signedIn('admin');
});
afterAll(() => site.close());

const spellings = (path: string) => [
  path,
  `${path}/`,
  path.replace(/\/(?=[^/]*$)/, '%2F'),
  path.replace(/[a-z]$/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
  path.toUpperCase(),
  `/${path}`,
  `${path}?x=1`,
  `${path};x=1`,
  `${path}#x`,
  `/.well-known/..${path}`,
  `/_cms/api/oauth/token/../..${path.slice('/_cms/api'.length)}`,
];

/** A form that another site has the user's browser send. */
async function forge(method: string, path: string, headers: Record<string, string> = {}): Promise<number> {
  const answer = await request(site.system.origin + path, {
    method: method as 'POST',
    headers: {
      host: site.host,
      cookie: `cms_session=${admin.session}`,
      origin: 'https://evil.example',
      'content-type': 'application/json',
      ...headers,
    },
    body: method === 'HEAD' || method === 'GET' ? null : '{"domain":"evil.example","defaultRole":50}',
  });
  await answer.body.dump();
  return answer.statusCode;
}

describe('a write that another site forges (document 1, CSRF rule)', () => {
  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'GET'])(
    'with %s changes nothing, however its path is spelled',
    async (method) => {
      for (const path of [
        ...spellings('/_cms/api/auth/logout'),
        ...spellings('/_cms/api/admin/allowed-domains'),
      ]) {
        const status = await forge(method, path);
        const isRead = method === 'HEAD' || method === 'GET';
        if (!isRead) expect([path, [403, 404].includes(status)]).toEqual([path, true]);
      }
      expect((await admin.get('/auth/me')).status).toBe(200);
      expect((await admin.get('/admin/allowed-domains')).data.domains).toEqual([]);
    },
  );

  it('is not let through for a method that a header names', async () => {
    const overrides = ['x-http-method-override', 'x-method-override', 'x-http-method'];
    for (const name of overrides) await forge('GET', '/_cms/api/auth/logout', { [name]: 'POST' });
    expect((await admin.get('/auth/me')).status).toBe(200);
  });

  it('is let through with the header that no other site can send', async () => {
    expect(await forge('POST', '/_cms/api/auth/logout', { 'x-cms-request': '1' })).toBe(200);
    expect(await eventually(async () => (await admin.get('/auth/me')).status === 401)).toBe(true);
  });
});
