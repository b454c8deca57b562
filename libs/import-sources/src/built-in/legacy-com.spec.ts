import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { json, probeContext, startFakeSite, total, type FakeSite } from './fake-site.fixture.js';
import { legacyCom, type HostedApplication } from './legacy-com.js';

let site: FakeSite;
beforeEach(async () => {
  site = await startFakeSite();
});
afterEach(() => site.close());

const api = 'https://public-api.wordpress.com';
const application = { clientId: '77', clientSecret: 'secret' };
const root = (change: object = {}) => ({
  name: 'Own domain',
  home: 'https://own.example',
  namespaces: ['wp/v2'],
  ...change,
});
const probe = (url: string, configured: HostedApplication = application) =>
  legacyCom(configured).probe?.(url, probeContext({ [api]: site.origin }));
const hosted = 'https://ann.wordpress.com';

describe('legacy-com, a site below the hosted edition', () => {
  it('is definite, with the address of the authorisation', async () => {
    site.routes = {
      '/rest/v1.1/sites/ann.wordpress.com?fields=name,URL': json({ name: 'Ann', URL: hosted }),
      '/wp/v2/sites/ann.wordpress.com/posts?per_page=1': total(40),
    };
    const match = await probe(hosted);
    expect(match).toMatchObject({
      sourceId: 'legacy-com',
      confidence: 'definite',
      detected: { platform: 'legacy-com', siteTitle: 'Ann', siteUrl: hosted },
      preview: { posts: 40 },
      auth: { type: 'oauth', provider: 'legacy-com' },
    });
    const action = match?.suggestedAction;
    const url = new URL(action?.type === 'oauth' ? action.url : 'about:blank');
    expect(match?.auth?.oauthUrl).toBe(url.href);
    expect([url.origin + url.pathname, Object.fromEntries(url.searchParams)]).toEqual([
      `${api}/oauth2/authorize`,
      { client_id: '77', response_type: 'code', blog: 'ann.wordpress.com' },
    ]);
    expect(JSON.stringify(match)).not.toContain('secret');
  });

  it('is definite when its API is not reachable', async () => {
    expect(await probe(hosted)).toMatchObject({ confidence: 'definite', detected: { siteUrl: hosted } });
  });

  it.each<[HostedApplication, string[], string[]]>([
    [{}, ['LEGACY_COM_CLIENT_ID', 'LEGACY_COM_CLIENT_SECRET'], []],
    [{ clientId: '77' }, ['LEGACY_COM_CLIENT_SECRET'], ['LEGACY_COM_CLIENT_ID']],
    [{ clientSecret: 'secret' }, ['LEGACY_COM_CLIENT_ID'], ['LEGACY_COM_CLIENT_SECRET']],
  ])(
    'suggests an upload with the application %j, and names what is not set',
    async (given, named, others) => {
      const match = await probe(hosted, given);
      expect(match).toMatchObject({ confidence: 'definite', suggestedAction: { type: 'upload' } });
      expect(match?.auth).toEqual({ type: 'oauth', provider: 'legacy-com' });
      expect(match?.capabilities.privateContent).toBe(false);
      const text = match?.suggestedAction.type === 'upload' ? match.suggestedAction.instructions : '';
      for (const variable of named) expect(text).toContain(variable);
      for (const variable of others) expect(text).not.toContain(variable);
      expect(text).toContain('export file');
    },
  );
});

describe('legacy-com, a site with a domain of its own', () => {
  it.each<[string, object, Record<string, string>]>([
    ['the plugin of the host', { namespaces: ['wp/v2', 'wpcomsh/v1'] }, {}],
    ['the header of the host', {}, { 'host-header': 'WordPress.com' }],
    ['the address of the host', { url: 'https://ann.wordpress.com' }, {}],
  ])('is definite by %s', async (_, change, headers) => {
    site.routes = {
      '/wp-json/': json(root(change), headers),
      '/wp-json/wp/v2/pages?per_page=1': total(4),
    };
    expect(await probe(site.origin)).toMatchObject({
      confidence: 'definite',
      detected: { siteTitle: 'Own domain', siteUrl: 'https://own.example' },
      preview: { pages: 4 },
      suggestedAction: { type: 'oauth' },
    });
  });

  it.each<[string, object, Record<string, string>]>([
    ['a self-hosted site', {}, {}],
    ['a self-hosted site with a plugin of the same company', { namespaces: ['wp/v2', 'wpcom/v2'] }, {}],
    ['a site whose name only ends like the host', { url: 'https://evil-wordpress.com' }, {}],
  ])('returns null for %s', async (_, change, headers) => {
    site.routes = { '/wp-json/': json(root(change), headers) };
    expect(await probe(site.origin)).toBeNull();
  });

  it('returns null without a REST API', async () => {
    expect(await probe(site.origin)).toBeNull();
  });
});
