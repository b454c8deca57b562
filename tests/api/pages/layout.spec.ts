import { beforeAll, describe, expect, it } from '@jest/globals';
import { useSite, type ApiResponse, type Client } from '@quire/testing';

const site = useSite();
const fresh = useSite();
let visitor: Client;
let admin: Client;

beforeAll(async () => {
  visitor = site.anonymous();
  admin = await site.signedIn('admin');
});

const policy = (script = '', forms = "'self'") =>
  `default-src 'none'; style-src 'self'; img-src 'self'; ${script}form-action ${forms}; frame-ancestors 'none'; base-uri 'none'`;
const script = "script-src 'self'; connect-src 'self'; ";
const withScript = policy(script);
/** The forms of the login page redirect to login providers, on localhost also to http addresses. */
const withProviders = policy(script, "'self' https: http:");

/** A page of each kind, with a client that may open it. */
const pages: [path: string, openAs: () => Client, policy: string][] = [
  ['/_cms/admin/login', () => visitor, withProviders],
  ['/_cms/admin/setup', () => fresh.anonymous(), policy()],
  ['/_cms/admin/signup', () => visitor, policy()],
  ['/_cms/admin/invite/accept?token=x', () => visitor, policy()],
  ['/_cms/admin/device', () => admin, policy()],
  ['/_cms/admin', () => admin, withScript],
  ['/_cms/admin/settings/transfer', () => admin, withScript],
];

describe('pages', () => {
  it.each(pages)(
    '%s has a language, a title and one heading, and no inline scripts or styles',
    async (path, openAs) => {
      const page = String((await openAs().get(path)).body);
      expect(page).toMatch(/^<!doctype html>\n<html lang="en">/);
      expect(page).toMatch(/<title>[^<]+ – Quire<\/title>/);
      expect(page.match(/<h1>/g)).toHaveLength(1);
      expect(page).not.toMatch(
        /<style| style=| on[a-z]+=|<script(?! type="module" src="\/_cms\/admin\/assets\/)/,
      );
      expect(page).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
    },
  );

  it.each(pages)('%s forbids caching, framing and indexing', async (path, openAs, expected) => {
    const { headers } = await openAs().get(path);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': expected,
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'x-robots-tag': 'noindex',
      'referrer-policy': 'same-origin',
    });
  });

  it.each(pages)('%s returns the headers of GET for HEAD, without a body', async (path, openAs) => {
    const [get, head] = [await openAs().get(path), await openAs().head(path)];
    const statusAndPolicy = ({ status, headers }: ApiResponse) => [
      status,
      headers.get('content-security-policy'),
    ];
    expect(statusAndPolicy(head)).toEqual(statusAndPolicy(get));
    expect(head.body).toBe('');
  });
});

describe('assets of pages', () => {
  const linked = (page: unknown) =>
    [...String(page).matchAll(/(?:src|href)="(\/_cms\/admin\/assets\/[^"]+)"/g)].map(([, path]) =>
      String(path),
    );

  it('have their version in the path and are immutable', async () => {
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

  it('are served under another version too, without caching', async () => {
    const { status, headers } = await visitor.get('/_cms/admin/assets/0123456789abcdef/styles.css');
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
  });

  it.each(['nothing.css', '..%2Findex.js', 'tsconfig.json', '__proto__'])(
    'do not include %s',
    async (name) => {
      const [path = ''] = linked((await visitor.get('/_cms/admin/login')).body);
      expect((await visitor.get(path.replace('icon.svg', name))).status).toBe(404);
    },
  );
});

describe('error of a page request', () => {
  const requestId = ({ headers }: ApiResponse) => headers.get('x-request-id') ?? 'none';

  it.each(['/_cms/admin/nothing', '/_cms/admin/login/more', '/_cms/admin/%E4'])(
    'is a page with the request id at the unknown path %s',
    async (path) => {
      const response = await visitor.get(path);
      expect([400, 404]).toContain(response.status);
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(response.headers.get('content-security-policy')).toContain("form-action 'none'");
      expect(response.body).toContain(`<code>${requestId(response)}</code>`);
    },
  );

  it('is a page for a cross-site form post', async () => {
    const response = await visitor.post('/_cms/admin/login', undefined, {
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        origin: 'https://evil.example',
      },
      rawBody: 'email=a@b.example',
    });
    expect([response.status, response.headers.get('content-type')]).toEqual([
      403,
      'text/html; charset=utf-8',
    ]);
    expect(response.body).toContain('Not allowed');
    expect(response.body).toContain(requestId(response));
  });

  it('is a page for 405, 415 and 413', async () => {
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

  it('is a page for a disabled account', async () => {
    const leaving = await site.signedIn('editor', 'disabled');
    await site.sql('UPDATE users SET disabled = true WHERE email LIKE $1', ['disabled@%']);
    const response = await leaving.get('/_cms/admin');
    expect([response.status, response.headers.get('content-type')]).toEqual([
      403,
      'text/html; charset=utf-8',
    ]);
  });

  it('of the API has the envelope', async () => {
    expect((await visitor.get('/nothing')).error.code).toBe('NOT_FOUND');
  });
});

it.each(['/_cms', '/_cms/'])('GET %s redirects to the start page', async (path) => {
  const response = await visitor.get(path);
  expect([response.status, response.headers.get('location')]).toEqual([302, '/_cms/admin']);
});
