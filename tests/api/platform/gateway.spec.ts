import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, openSite, statusAndCode, type Client, type Site } from '@quire/testing';
import { deriveInternalKeys, InternalTokenSigner } from '@quire/context';
import { createSigner } from 'fast-jwt';
import { request } from 'undici';

let site: Site;
let admin: Client;

beforeAll(async () => {
  site = await openSite();
  admin = await site.as('admin');
  await site.collection();
});
afterAll(() => site.close());

/** As a program without any of our client's manners. */
async function raw(
  path: string,
  options: { method?: string; headers?: Record<string, string>; body?: string } = {},
) {
  const { method = 'GET', headers = {}, body } = options;
  const answer = await request(site.system.origin + path, {
    method: method as 'GET',
    headers: { host: site.host, ...headers },
    body: body ?? null,
  });
  return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() };
}
const codeOf = (text: string) => (JSON.parse(text) as { error?: { code: string } }).error?.code;
const withToken = (more: Record<string, string> = {}) => ({
  authorization: `Bearer ${admin.token}`,
  ...more,
});

describe('the gateway, for what it does not know', () => {
  it('answers 404 for a host that is no site, whatever the path and the credential', async () => {
    const answer = await raw('/_cms/api/content/posts', { headers: withToken({ host: 'nobody.example' }) });
    expect([answer.status, codeOf(answer.text)]).toEqual([404, 'NOT_FOUND']);
  });

  it.each([
    '/',
    '/_cms/api',
    '/_cms/api/nothing',
    '/_cms/api/contents',
    '/content/posts',
    '//',
    '/_cms/api/%',
  ])('answers 404 for the path %s', async (path) => {
    const answer = await raw(path, { headers: withToken() });
    expect([answer.status, codeOf(answer.text)]).toEqual([404, 'NOT_FOUND']);
  });

  it('answers 405 with Allow for a known path and the wrong method (contract 1)', async () => {
    const answer = await admin.patch('/content/posts', {});
    expect([...statusAndCode(answer), answer.headers.get('allow')]).toEqual([
      405,
      'METHOD_NOT_ALLOWED',
      'GET, POST',
    ]);
  });
});

describe('every answer', () => {
  it('is private, never stored, never sniffed, and names its request', async () => {
    const answers = [
      await raw('/_cms/api/content/posts', { headers: withToken() }),
      await raw('/_cms/api/content/posts'),
      await raw('/_cms/api/nothing'),
      await raw('/_cms/api/content/posts/%zz', { headers: withToken() }),
      await raw('/_cms/api/menus/%ff', { headers: withToken() }),
    ];
    for (const { headers } of answers) {
      expect(headers).toMatchObject({
        'cache-control': 'private, no-store',
        'x-content-type-options': 'nosniff',
        'content-type': 'application/json; charset=utf-8',
        'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
      });
    }
    expect(new Set(answers.map(({ headers }) => headers['x-request-id'])).size).toBe(answers.length);
  });

  it('does not repeat a request id that the client made up', async () => {
    const { headers } = await raw('/_cms/api/nothing', { headers: { 'x-request-id': 'forged' } });
    expect(headers['x-request-id']).not.toBe('forged');
  });
});

describe('what belongs to Quire itself', () => {
  it.each([
    '/_cms/api/internal/auth/credentials/bearer',
    '/_cms/api/internal/content/openapi.json',
    '/_cms/api/content/../internal/auth/credentials/bearer',
    '/_cms/api//internal/auth/credentials/bearer',
  ])('is not reached from outside: %s', async (path) => {
    const answer = await raw(path, {
      method: 'POST',
      headers: withToken({ 'content-type': 'application/json' }),
      body: JSON.stringify({ tokenHash: 'a'.repeat(64) }),
    });
    expect([answer.status, codeOf(answer.text)]).toEqual([404, 'NOT_FOUND']);
  });

  it('cannot be put on: a made-up internal token leaves its sender nobody', async () => {
    const path = '/_cms/api/content/posts';
    const principal = {
      kind: 'session',
      tenant: { id: site.tenant, database: null },
      userId: 'u',
      role: 50,
    } as const;
    const claims = { principal, method: 'GET', path, aud: 'content', iss: 'gateway' };
    const guessed = new InternalTokenSigner(deriveInternalKeys('guessed', ['gateway']));
    const forged = [
      createSigner({ algorithm: 'none', kid: 'gateway', expiresIn: 60_000 })(claims),
      createSigner({ algorithm: 'HS256', key: 'guessed', kid: 'gateway', expiresIn: 60_000 })(claims),
      guessed.sign('gateway', principal, { service: 'content', method: 'GET', path }),
      JSON.stringify(principal),
    ];
    for (const token of forged) {
      const answer = await raw(path, { headers: { 'x-cms-internal': token } });
      expect([answer.status, codeOf(answer.text)]).toEqual([401, 'NOT_AUTHENTICATED']);
    }
  });
});

describe('writes with a session cookie (document 1, Credentials)', () => {
  const body = '{"data":{"title":"x"}}';
  const post = (headers: Record<string, string>) =>
    raw('/_cms/api/content/posts', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    });

  it('need X-CMS-Request, and are refused before anything else is looked at', async () => {
    const answer = await post({ cookie: 'cms_session=made-up' });
    expect([answer.status, codeOf(answer.text)]).toEqual([403, 'CSRF_REJECTED']);
  });

  it('with it are judged by their credential', async () => {
    const answer = await post({ cookie: 'cms_session=made-up', 'x-cms-request': '1' });
    expect([answer.status, codeOf(answer.text)]).toEqual([401, 'NOT_AUTHENTICATED']);
  });

  it('of another site’s page are refused without a credential too', async () => {
    const foreign = await post({ origin: 'https://evil.example' });
    expect([foreign.status, codeOf(foreign.text)]).toEqual([403, 'CSRF_REJECTED']);
    const own = await post({ origin: `http://${site.host}` });
    expect([own.status, codeOf(own.text)]).toEqual([401, 'NOT_AUTHENTICATED']);
  });

  it('with a Bearer token need nothing', async () => {
    const answer = await post(withToken({ cookie: 'cms_session=x', origin: 'https://evil.example' }));
    expect(answer.status).toBe(201);
  });
});

describe('the health of the process behind the gateway (design 1)', () => {
  it('is asked without a site', async () => {
    for (const path of ['/healthz', '/readyz']) {
      // A system that has just begun may still be making its bucket.
      const status = await eventually(
        async () => {
          const answer = await request(site.system.origin + path);
          await answer.body.dump();
          return answer.statusCode;
        },
        (code) => code === 200,
      );
      expect([path, status]).toEqual([path, 200]);
    }
  });

  it('counts requests by service, method and status', async () => {
    await admin.get('/content/posts');
    const text = await (await request(`${site.system.origin}/metrics`)).body.text();
    expect(text).toMatch(
      /quire_http_request_duration_seconds_count\{service="content",method="GET",status="200"\} [1-9]/,
    );
  });
});
