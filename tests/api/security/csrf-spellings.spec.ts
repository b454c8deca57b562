import { beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, useSite, type Client } from '@quire/testing';
import { request } from 'undici';

const site = useSite();
let admin: Client;

beforeAll(async () => {
  admin = await site.signedIn('admin');
});

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

/** Sends a cross-site request with the session cookie of the user. @returns its status */
async function forge(method: string, path: string, headers: Record<string, string> = {}): Promise<number> {
  const response = await request(site.system.origin + path, {
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
  await response.body.dump();
  return response.statusCode;
}

describe('cross-site writes (document 1, CSRF rule)', () => {
  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'GET'])(
    'with %s change nothing in any spelling of the path',
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

  it('are rejected with a method override header', async () => {
    const overrides = ['x-http-method-override', 'x-method-override', 'x-http-method'];
    for (const name of overrides) await forge('GET', '/_cms/api/auth/logout', { [name]: 'POST' });
    expect((await admin.get('/auth/me')).status).toBe(200);
  });

  it('are accepted with X-CMS-Request, which other sites cannot send', async () => {
    expect(await forge('POST', '/_cms/api/auth/logout', { 'x-cms-request': '1' })).toBe(200);
    expect(await eventually(async () => (await admin.get('/auth/me')).status === 401)).toBe(true);
  });
});
