import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ImportSourceError, type SourceInput } from '../index.js';
import {
  json,
  probeContext,
  redirect,
  silent,
  startFakeSite,
  total,
  type FakeSite,
} from './fake-site.fixture.js';
import { legacyRest } from './legacy-rest.js';
import { defaultTimeouts, type ProbeTimeouts } from './site-root.js';

let site: FakeSite;
beforeEach(async () => {
  site = await startFakeSite();
});
afterEach(() => site.close());

const root = (change: object = {}) => ({
  name: 'A blog',
  url: 'https://blog.example/core',
  home: 'https://blog.example',
  namespaces: ['oembed/1.0', 'wp/v2'],
  authentication: [],
  routes: {},
  ...change,
});
const counts = { '/wp-json/wp/v2/posts?per_page=1': total(12), '/wp-json/wp/v2/media?per_page=1': total(3) };
const probe = (path = '', { maxBytes, ...limits }: { maxBytes?: number } & Partial<ProbeTimeouts> = {}) =>
  legacyRest({ ...defaultTimeouts, ...limits }).probe?.(`${site.origin}${path}`, probeContext({}, maxBytes));

describe('legacy-rest', () => {
  it('returns a definite match with the numbers that the site gives', async () => {
    site.routes = { '/wp-json/': json(root()), ...counts };
    expect(await probe()).toEqual({
      sourceId: 'legacy-rest',
      confidence: 'definite',
      detected: { platform: 'legacy', siteTitle: 'A blog', siteUrl: 'https://blog.example' },
      capabilities: {
        publicContent: true,
        privateContent: false,
        customPostTypes: false,
        allMeta: false,
        mediaStream: true,
      },
      preview: { posts: 12, media: 3 },
      suggestedAction: { type: 'upload', instructions: expect.stringContaining('export file') },
    });
  });

  it('finds a site in a folder', async () => {
    site.routes = { '/blog/wp-json/': json(root()), '/blog/wp-json/wp/v2/pages?per_page=1': total(2) };
    expect(await probe('/blog')).toMatchObject({ preview: { pages: 2 } });
  });

  it.each<[string, Record<string, ReturnType<typeof json>>]>([
    ['is not found', {}],
    ['is a page', { '/wp-json/': (_, response) => response.end('<html>Home</html>') }],
    ['is broken JSON', { '/wp-json/': (_, response) => response.end('{"namespaces": ["wp/v2"') }],
    ['never responds', { '/wp-json/': silent }],
    ['is an endless redirect', { '/wp-json/': redirect('/wp-json/') }],
    ['redirects to a private address', { '/wp-json/': redirect('http://10.0.0.1/wp-json/') }],
  ])('uses the query parameter when /wp-json/ %s', async (_, routes) => {
    site.routes = {
      ...routes,
      '/?rest_route=/': json(root()),
      '/?rest_route=/wp/v2/posts&per_page=1': total(5),
      '/?rest_route=/wp/v2/pages&per_page=1': total(0),
    };
    expect(await probe('', { rootMs: 2_000 })).toMatchObject({
      confidence: 'definite',
      preview: { posts: 5, pages: 0 },
    });
    expect(site.requested.filter((address) => address.startsWith('/wp-json/wp'))).toEqual([]);
  });

  it.each<[string, Record<string, ReturnType<typeof json>>]>([
    ['without a REST API', {}],
    ['whose API has another namespace', { '/wp-json/': json(root({ namespaces: ['oembed/1.0'] })) }],
    ['whose namespaces are no list', { '/wp-json/': json(root({ namespaces: 'wp/v2' })) }],
    ['whose root is a list', { '/wp-json/': json([1, 2]) }],
    ['whose root is null', { '/wp-json/': json(null) }],
  ])('returns null for a site %s', async (_, routes) => {
    site.routes = routes;
    expect(await probe()).toBeNull();
  });

  it('returns null for a root above the size limit', async () => {
    site.routes = { '/wp-json/': json(root({ routes: 'x'.repeat(5_000) })) };
    expect(await probe('', { maxBytes: 4_000 })).toBeNull();
    expect(await probe('', { maxBytes: 6_000 })).not.toBeNull();
  });

  it('returns null when no server is there', async () => {
    await site.close();
    expect(await probe()).toBeNull();
  });

  it('follows a redirect to the address of the API', async () => {
    site.routes = { '/wp-json/': redirect('/en/wp-json/'), '/en/wp-json/': json(root()) };
    expect(await probe()).toMatchObject({ detected: { siteTitle: 'A blog' } });
  });

  it('leaves out numbers that are late, missing, malformed or from an error page', async () => {
    site.routes = {
      '/wp-json/': json(root()),
      '/wp-json/wp/v2/posts?per_page=1': silent,
      '/wp-json/wp/v2/pages?per_page=1': total('many'),
      '/wp-json/wp/v2/media?per_page=1': (_, response) =>
        response.writeHead(401, { 'x-wp-total': '3' }).end('[]'),
    };
    expect(await probe('', { countMs: 200 })).not.toHaveProperty('preview');
  });

  it('reports application passwords', async () => {
    site.routes = { '/wp-json/': json(root({ authentication: { 'application-passwords': {} } })) };
    expect(await probe()).toMatchObject({ auth: { type: 'password' } });
    site.routes = { '/wp-json/': json(root({ authentication: { other: {} } })) };
    expect(await probe()).not.toHaveProperty('auth');
  });

  it('reports the languages of a translation plugin', async () => {
    site.routes = {
      '/wp-json/': json(root({ namespaces: ['wp/v2', 'pll/v1'] })),
      '/wp-json/pll/v1/languages': json([{ slug: 'en' }, { slug: 'de', is_default: true, name: 'Deutsch' }]),
    };
    expect(await probe()).toMatchObject({
      i18n: { plugin: 'polylang', defaultLocale: 'de', locales: ['en', 'de'] },
    });
    site.routes['/wp-json/pll/v1/languages'] = json({ code: 'rest_forbidden' });
    expect(await probe()).not.toHaveProperty('i18n');
  });

  it('refuses to import, and points to the export file', async () => {
    const input: SourceInput = { type: 'url', url: site.origin };
    const context = { ...probeContext(), toRichText: () => [] };
    const analysis = {
      ...context,
      getExistingCollections: () => Promise.resolve(new Map()),
      analyzeItems: () => Promise.reject(new Error('not called')),
    };
    const source = legacyRest();
    await expect(source.analyze(input, analysis)).rejects.toThrow(ImportSourceError);
    expect(() => source.fetchContent(input, { postTypes: ['post'] }, context)).toThrow('upload that file');
  });
});
