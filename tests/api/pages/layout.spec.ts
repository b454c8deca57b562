import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openSite, type ApiResponse, type Client, type Site } from '@quire/testing';

let site: Site;
let visitor: Client;
let admin: Client;
let fresh: Site;

beforeAll(async () => {
  site = await openSite();
  fresh = await openSite();
  visitor = site.anonymous();
  admin = await site.signedIn('admin');
});
afterAll(async () => {
  await site.close();
  await fresh.close();
});

const policy = (script = '', forms = "'self'") =>
  `default-src 'none'; style-src 'self'; img-src 'self'; ${script}form-action ${forms}; frame-ancestors 'none'; base-uri 'none'`;
const script = "script-src 'self'; connect-src 'self'; ";
const withScript = policy(script);
/** Its forms lead on to login providers, on a developer's machine to those there. */
const withOffers = policy(script, "'self' https: http:");

/** A page of each kind, as who may see it gets it. */
const pages: [path: string, who: () => Client, policy: string][] = [
  ['/_cms/admin/login', () => visitor, withOffers],
  ['/_cms/admin/setup', () => fresh.anonymous(), policy()],
  ['/_cms/admin/signup', () => visitor, policy()],
  ['/_cms/admin/invite/accept?token=x', () => visitor, policy()],
  ['/_cms/admin/device', () => admin, policy()],
  ['/_cms/admin', () => admin, withScript],
];

describe('every page', () => {
  it.each(pages)(
    '%s names its language, its title and one heading, and runs nothing inline',
    async (path, who) => {
      const page = String((await who().get(path)).body);
      expect(page).toMatch(/^<!doctype html>\n<html lang="en">/);
      expect(page).toMatch(/<title>[^<]+ – Quire<\/title>/);
      expect(page.match(/<h1>/g)).toHaveLength(1);
      expect(page).not.toMatch(
        /<style| style=| on[a-z]+=|<script(?! type="module" src="\/_cms\/admin\/assets\/)/,
      );
      expect(page).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
    },
  );

  it.each(pages)(
    '%s is kept nowhere, framed by nobody, found by no search engine',
    async (path, who, expected) => {
      const { headers } = await who().get(path);
      expect(Object.fromEntries(headers)).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'content-security-policy': expected,
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'x-robots-tag': 'noindex',
        'referrer-policy': 'same-origin',
      });
    },
  );

  it.each(pages)('%s answers HEAD as GET, without the page', async (path, who) => {
    const [got, head] = [await who().get(path), await who().head(path)];
    const told = ({ status, headers }: ApiResponse) => [status, headers.get('content-security-policy')];
    expect(told(head)).toEqual(told(got));
    expect(head.body).toBe('');
  });
});

describe('what pages load', () => {
  const linked = (page: unknown) =>
    [...String(page).matchAll(/(?:src|href)="(\/_cms\/admin\/assets\/[^"]+)"/g)].map(([, path]) =>
      String(path),
    );

  it('has its version in its path and is immutable', async () => {
    const paths = linked((await visitor.get('/_cms/admin/login')).body);
    expect(paths.map((path) => path.split('/').at(-1))).toEqual(['icon.svg', 'styles.css', 'login.js']);
    for (const path of paths) {
      const { status, headers } = await visitor.get(path);
      expect([status, headers.get('cache-control'), headers.get('x-content-type-options')]).toEqual([
        200,
        'public, max-age=31536000, immutable',
        'nosniff',
      ]);
    }
    const typeOf = async (path = '') => (await visitor.get(path)).headers.get('content-type');
    expect(await Promise.all(paths.map(typeOf))).toEqual([
      'image/svg+xml',
      'text/css; charset=utf-8',
      'text/javascript; charset=utf-8',
    ]);
  });

  it('is served under another version too, without caching', async () => {
    const { status, headers } = await visitor.get('/_cms/admin/assets/0123456789abcdef/styles.css');
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
  });

  it.each(['nothing.css', '..%2Findex.js', 'tsconfig.json', '__proto__'])(
    'does not hold %s',
    async (name) => {
      const [path = ''] = linked((await visitor.get('/_cms/admin/login')).body);
      expect((await visitor.get(path.replace('icon.svg', name))).status).toBe(404);
    },
  );
});

describe('an error of a page request', () => {
  const requestId = ({ headers }: ApiResponse) => headers.get('x-request-id') ?? 'none';

  it.each(['/_cms/admin/nothing', '/_cms/admin/login/more', '/_cms/admin/%E4'])(
    'is a page that names the request: nothing is at %s',
    async (path) => {
      const answer = await visitor.get(path);
      expect([400, 404]).toContain(answer.status);
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(answer.headers.get('content-security-policy')).toContain("form-action 'none'");
      expect(answer.body).toContain(`<code>${requestId(answer)}</code>`);
    },
  );

  it('is a page for a cross-site form post', async () => {
    const answer = await visitor.post('/_cms/admin/login', undefined, {
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        origin: 'https://evil.example',
      },
      rawBody: 'email=a@b.example',
    });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([403, 'text/html; charset=utf-8']);
    expect(answer.body).toContain('This is not allowed');
    expect(answer.body).toContain(requestId(answer));
  });

  it('is a page for a wrong method, a wrong body and too much of it', async () => {
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const put = await visitor.put('/_cms/admin/login', {});
    const json = await visitor.post('/_cms/admin/login', { email: 'a@b.example' });
    const huge = await visitor.post('/_cms/admin/login', undefined, {
      headers: form,
      rawBody: `email=${'x'.repeat(70_000)}`,
    });
    expect([put, json, huge].map(({ status }) => status)).toEqual([405, 415, 413]);
    for (const { body } of [put, json, huge]) expect(body).toContain('<!doctype html>');
  });

  it('is a page for an account that is disabled', async () => {
    const leaving = await site.signedIn('editor', 'disabled');
    await site.sql('UPDATE users SET disabled = true WHERE email LIKE $1', ['disabled@%']);
    const answer = await leaving.get('/_cms/admin');
    expect([answer.status, answer.headers.get('content-type')]).toEqual([403, 'text/html; charset=utf-8']);
  });

  it('of the API is in the envelope', async () => {
    expect((await visitor.get('/nothing')).error.code).toBe('NOT_FOUND');
  });
});

it.each(['/_cms', '/_cms/'])('%s leads to the start page', async (path) => {
  const answer = await visitor.get(path);
  expect([answer.status, answer.headers.get('location')]).toEqual([302, '/_cms/admin']);
});
