import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { createClient, statusAndCode, type ApiResponse } from '@quire/testing';
import { useConfigTestEnvironment } from '../support.js';

const testEnvironment = useConfigTestEnvironment();
let https: string;
let http: string;
let site: { tenant: string; host: string };

beforeAll(async () => {
  https = await testEnvironment.start({ environment: { CMS_PUBLIC_URL: 'https://cms.example' } });
  http = await testEnvironment.start();
  site = await testEnvironment.newSite();
});

const visitor = (origin: string) => createClient({ origin }, { host: site.host });
const meWith = (origin: string, cookie: string) => visitor(origin).get('/auth/me', { headers: { cookie } });
const cookieOf = ({ setCookies }: ApiResponse, name: string) =>
  setCookies.find((cookie) => cookie.startsWith(`${name}=`) && !cookie.startsWith(`${name}=;`));
const valueOf = (cookie = '') => cookie.split(';', 1)[0] ?? '';

/** Signs a user in by a mailed link. @returns the response to the form and the CSRF cookie of the page */
async function signIn(origin: string, email: string, headers: Record<string, string> = {}) {
  await testEnvironment.adminService.createToken({ tenant: site.tenant, role: 'editor', email, scopes: [] });
  const link = new URL(await testEnvironment.adminService.createLoginLink({ tenant: site.tenant, email }));
  const page = await visitor(origin).get(link.pathname + link.search);
  const fields = [...String(page.body).matchAll(/name="(\w+)" value="([^"]*)"/g)].map(
    ([, name = '', value = '']): [string, string] => [name, value],
  );
  const csrf = page.setCookies.find((cookie) => cookie.includes('cms_link_csrf=')) ?? '';
  const response = await visitor(origin).post(link.pathname, undefined, {
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      ...headers,
      cookie: [valueOf(csrf), headers['cookie']].filter(Boolean).join('; '),
    },
    rawBody: new URLSearchParams(fields).toString(),
  });
  return { response, csrf };
}

const sessionOf = async (origin: string, email: string) => {
  const { response } = await signIn(origin, email);
  const name = origin === https ? '__Host-cms_session' : 'cms_session';
  return valueOf(cookieOf(response, name)).slice(name.length + 1);
};

describe('cookies of a site on https (decision 62)', () => {
  it('have the __Host- prefix and the path /', async () => {
    const { response, csrf } = await signIn(https, 'ann@site.example');
    expect(csrf).toMatch(/^__Host-cms_link_csrf=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Strict$/);
    for (const cookie of response.setCookies)
      expect(cookie).toMatch(/^__Host-\w+=[^;]*; Max-Age=\d+; Path=\/; /);
    expect(response.setCookies).toEqual(
      expect.arrayContaining([
        expect.stringMatching(
          /^__Host-cms_session=h\.[\w-]{43}; Max-Age=\d+; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
        ),
      ]),
    );
    expect((await meWith(https, valueOf(response.setCookies[0]))).data.email).toBe('ann@site.example');
    const login = await visitor(https).get('/_cms/admin/setup');
    for (const cookie of login.setCookies)
      expect(cookie).toMatch(/^__Host-[^;]+; (?:Max-Age=\d+; )?Path=\/;/);
  });

  it('have no prefix on http', async () => {
    const { response, csrf } = await signIn(http, 'ann@site.example');
    expect(csrf).toMatch(
      /^cms_link_csrf=[\w-]{43}; Path=\/_cms\/api\/auth\/magic-link\/verify; HttpOnly; Same/,
    );
    expect(response.setCookies[0]).toMatch(/^cms_session=[\w-]{43};/);
  });

  it('take precedence over a cookie without prefix, which another host can plant', async () => {
    const own = await sessionOf(https, 'own@site.example');
    const planted = await sessionOf(http, 'attacker@site.example');
    const cookie = `cms_session=${planted}; __Host-cms_session=${own}`;
    expect((await meWith(https, cookie)).data.email).toBe('own@site.example');
  });

  it('without prefix of an earlier release are accepted', async () => {
    const old = await sessionOf(http, 'old@site.example');
    expect((await meWith(https, `cms_session=${old}`)).data.email).toBe('old@site.example');
    const after = `__Host-cms_session=h.${randomBytes(32).toString('base64url')}; cms_session=${old}`;
    expect((await meWith(https, after)).status).toBe(200);
  });

  it('without prefix end 90 days after the sign-in', async () => {
    const old = await sessionOf(http, 'oldest@site.example');
    await testEnvironment.sql(
      site.tenant,
      `UPDATE sessions SET created_at = now() - interval '90 days', last_seen_at = now() - interval '2 minutes'`,
    );
    await meWith(https, `cms_session=${old}`);
    await testEnvironment.stopAllExcept();
    https = await testEnvironment.start({ environment: { CMS_PUBLIC_URL: 'https://cms.example' } });
    http = await testEnvironment.start();
    expect(statusAndCode(await meWith(https, `cms_session=${old}`))).toEqual([401, 'NOT_AUTHENTICATED']);
  });

  it('of a session opened on https are rejected without prefix', async () => {
    const session = await sessionOf(https, 'new@site.example');
    expect(statusAndCode(await meWith(https, `cms_session=${session}`))).toEqual([401, 'NOT_AUTHENTICATED']);
    expect((await meWith(https, `__Host-cms_session=${session}`)).status).toBe(200);
  });

  it('of an earlier release are cleared at the next sign-in and sign-out', async () => {
    const old = await sessionOf(http, 'upgraded@site.example');
    const cleared = 'cms_session=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax';
    const { response } = await signIn(https, 'upgraded@site.example', { cookie: `cms_session=${old}` });
    expect(response.setCookies).toContain(cleared);
    const logout = await visitor(https).post('/auth/logout', undefined, {
      headers: { cookie: `cms_session=${old}`, 'x-cms-request': '1' },
    });
    expect(logout.setCookies).toEqual([`__Host-${cleared}`, cleared]);
    expect((await meWith(https, `cms_session=${old}`)).status).toBe(401);
  });

  it('with a CSRF token planted by another host are rejected', async () => {
    const page = await visitor(https).get('/_cms/admin/login');
    const token = randomBytes(32).toString('base64url');
    const response = await visitor(https).post('/_cms/admin/login', undefined, {
      headers: { 'content-type': 'application/x-www-form-urlencoded', cookie: `cms_admin_csrf=${token}` },
      rawBody: new URLSearchParams({ csrf: token, email: 'ann@site.example', action: 'link' }).toString(),
    });
    expect([page.status < 400, response.status]).toEqual([true, 403]);
  });
});

describe('Strict-Transport-Security', () => {
  const policyOf = async (origin: string, path: string) =>
    (await visitor(origin).get(path)).headers.get('strict-transport-security');

  it('is sent with every response when the public address is https', async () => {
    for (const path of ['/auth/mode', '/nothing', '/content/posts', '/_cms/admin/login'])
      expect([path, await policyOf(https, path)]).toEqual([path, 'max-age=31536000']);
  });

  it('is not sent when the public address is http', async () => {
    expect(await policyOf(http, '/auth/mode')).toBeNull();
  });
});

describe('Origin of a public write at a site on https', () => {
  it('is accepted only for the site itself', async () => {
    const send = (origin: string) =>
      visitor(https).post('/auth/passkey/options', undefined, { headers: { origin } });
    expect((await send(`https://${site.host}`)).status).toBe(200);
    for (const origin of [`http://${site.host}`, 'https://cms.example'])
      expect([origin, ...statusAndCode(await send(origin))]).toEqual([origin, 403, 'CSRF_REJECTED']);
  });
});
