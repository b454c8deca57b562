import { beforeAll, describe, expect, it } from '@jest/globals';
import { useSite, type Client } from '@quire/testing';

const site = useSite();
const panel = '/_cms/admin/panel';
let editor: Client;

beforeAll(async () => {
  editor = await site.signedIn('editor');
});

/** Paths of the files that a page loads. */
const loadedFiles = (page: unknown) =>
  [...String(page).matchAll(/(?:src|href)="(\/_cms\/admin\/panel\/assets\/[^"]+)"/g)].map(([, path]) =>
    String(path),
  );

describe('the page of the panel', () => {
  it.each([panel, `${panel}/preferences`, `${panel}/content/posts/1`])('starts at %s', async (path) => {
    const { status, body, headers } = await editor.get(path);
    expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
      200,
      'text/html; charset=utf-8',
      'no-store',
    ]);
    const page = String(body);
    const tags = loadedFiles(page).map((file) => [
      file.split('.').at(-1),
      new RegExp(`<[^>]*"${file}"[^>]*>`).exec(page)?.[0].replace(file, ''),
    ]);
    const preload = ['js', '<link rel="modulepreload" href="" />'];
    const styles = tags.filter(([type]) => type === 'css');
    const others = tags.slice(styles.length);
    expect(styles.length).toBeGreaterThan(0);
    expect(styles).toEqual(styles.map(() => ['css', '<link rel="stylesheet" href="" />']));
    // Chunks that the script imports: they load at the same time, not after it.
    expect(others.slice(0, -1)).toEqual(others.slice(0, -1).map(() => preload));
    expect(others.at(-1)).toEqual(['js', '<script type="module" src="">']);
  });

  it('has a strict policy with a nonce of its own', async () => {
    const pages = await Promise.all([editor.get(panel), editor.get(panel)]);
    const nonces = pages.map(({ body, headers }) => {
      const [, nonce = 'none'] = /<meta property="csp-nonce" nonce="([\w-]{22})"/.exec(String(body)) ?? [];
      expect(headers.get('content-security-policy')).toBe(
        `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self' blob:; ` +
          "font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; " +
          "require-trusted-types-for 'script'; trusted-types 'none'",
      );
      return nonce;
    });
    expect(new Set(nonces).size).toBe(2);
    expect(Object.fromEntries(pages[0]?.headers ?? [])).toMatchObject({
      'x-frame-options': 'DENY',
      'x-robots-tag': 'noindex',
      'referrer-policy': 'same-origin',
    });
  });

  it('sends visitors and tokens to the login, which leads back', async () => {
    for (const client of [site.anonymous(), await site.as('editor')]) {
      const { status, headers } = await client.get(`${panel}/preferences?a=1`);
      expect([status, headers.get('location')]).toEqual([
        302,
        `/_cms/admin/login?redirect=${encodeURIComponent(`${panel}/preferences?a=1`)}`,
      ]);
    }
  });

  it('is not for subscribers, who get no link to it', async () => {
    const subscriber = await site.signedIn('subscriber', 'reader');
    const { status, body } = await subscriber.get(panel);
    expect([status, String(body).includes('contributors and higher roles')]).toEqual([403, true]);
    expect(String((await subscriber.get('/_cms/admin')).body)).not.toContain(`href="${panel}"`);
    expect(String((await editor.get('/_cms/admin')).body)).toContain(`href="${panel}"`);
  });
});

describe('files of the panel', () => {
  it('are immutable, and public', async () => {
    const visitor = site.anonymous();
    for (const path of loadedFiles((await editor.get(panel)).body)) {
      const { status, headers } = await visitor.get(path);
      expect([
        status,
        headers.get('cache-control'),
        headers.get('x-content-type-options'),
        headers.get('vary'),
      ]).toEqual([200, 'public, max-age=31536000, immutable', 'nosniff', 'accept-encoding']);
    }
  });

  it.each(['nothing.js', 'manifest.json', '..%2Fmanifest.json', '__proto__'])(
    'do not include %s',
    async (name) => {
      expect((await editor.get(`${panel}/assets/0123456789abcdef/${name}`)).status).toBe(404);
    },
  );
});
