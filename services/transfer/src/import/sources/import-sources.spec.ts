import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { loadSiteConfig } from '@quire/config';
import { isItemFault, type ImportSource, type SourceInput } from '@quire/import-sources';
import { createLogger } from '@quire/observability';
import { createImportSources } from './create-import-sources.js';
import type { ImportSources } from './import-sources.js';
import { probeSite } from './probe-site.js';
import { createSourceNetwork } from './source-network.js';

const fromRoot = (path: string) => fileURLToPath(new URL(`../../../../../${path}`, import.meta.url));
const fixture = fromRoot('tests/fixtures/import-source/json-feed.mjs');

let server: Server;
let site: string;
let requested: string[];
let pages: Record<string, object>;
let configured: readonly ImportSource[];
let sources: ImportSources;

const article = (id: string, change: object = {}) => ({
  id,
  title: `Article ${id}`,
  content_html: `<p>One <em>is</em>.</p><h2><a href="${site}/two">Two</a></h2>`,
  date_published: '2024-06-01T10:00:00+02:00',
  tags: ['news'],
  image: 'https://feed.example/a.jpg',
  ...change,
});
const feed = (items: object[], next?: string) => ({
  version: 'https://jsonfeed.org/version/1.1',
  title: 'A feed',
  home_page_url: 'https://feed.example',
  items,
  ...(next === undefined ? {} : { next_url: next }),
});

beforeEach(async () => {
  requested = [];
  server = createServer((request, response) => {
    requested.push(String(request.url));
    const page = pages[String(request.url)];
    response.writeHead(page ? 200 : 404).end(JSON.stringify(page ?? {}));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  pages = {
    '/feed.json': feed([article('1'), article('2', { date_published: 'yesterday' })], `${site}/2.json`),
    '/2.json': feed([article('3')]),
  };
  const config = await loadSiteConfig('cms.config.mjs', fromRoot('tests/fixtures/import-source'));
  configured = config.import?.sources ?? [];
  sources = createImportSources(
    { application: {}, configured },
    createSourceNetwork({ allowLoopback: true }),
  );
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
});

const input = (url = site): SourceInput => ({ type: 'url', url });
const articles = { postTypes: ['article'] };

describe('an import source of the site configuration (document 3, rule 7)', () => {
  it('follows the built-in sources', () => {
    expect(sources.all.map(({ id }) => id)).toEqual(['wxr', 'legacy-com', 'legacy-rest', 'json-feed']);
  });

  it('detects its sites', async () => {
    const logger = createLogger({ level: 'silent', targets: [] });
    const { result } = await probeSite({ origin: null }, { sources, logger }, site);
    expect(result).toMatchObject({
      isLegacy: false,
      bestMatch: {
        sourceId: 'json-feed',
        detected: { siteTitle: 'A feed', siteUrl: 'https://feed.example' },
      },
      suggestedAction: { type: 'proceed' },
    });
  });

  it('analyses its content', async () => {
    const { signal } = new AbortController();
    const collections = new Map([['article', [{ slug: 'title', type: 'string' }]]]);
    const getExistingCollections = () => Promise.resolve(collections);
    const source = sources.openSource('json-feed');
    expect(await sources.analyze(source, input(), { signal, getExistingCollections })).toMatchObject({
      sourceId: 'json-feed',
      site: { title: 'JSON feed', url: site },
      postTypes: [{ name: 'article', count: 2, status: 'add_fields', schemaStatus: { exists: true } }],
      tags: 1,
      warnings: [{ message: 'Article 2: date: must be an ISO 8601 date and time' }],
    });
  });

  it('yields validated items of all pages, and an invalid one as a fault', async () => {
    const entries = [];
    for await (const entry of sources.fetchItems(sources.openSource('json-feed'), input(), articles))
      entries.push(entry);
    expect(entries).toEqual([
      {
        sourceId: '1',
        postType: 'article',
        status: 'publish',
        slug: '',
        title: 'Article 1',
        content: [
          expect.objectContaining({ _type: 'block', style: 'normal' }),
          expect.objectContaining({
            style: 'h2',
            markDefs: [expect.objectContaining({ _type: 'link', href: '/two' })],
          }),
        ],
        date: '2024-06-01T08:00:00.000Z',
        tags: ['news'],
        featuredImage: 'https://feed.example/a.jpg',
      },
      { sourceId: '2', title: 'Article 2', fault: 'date: must be an ISO 8601 date and time' },
      expect.objectContaining({ sourceId: '3' }),
    ]);
    expect(entries.map(isItemFault)).toEqual([false, true, false]);
  });

  it('requests no page before its items are needed', async () => {
    for await (const entry of sources.fetchItems(sources.openSource('json-feed'), input(), articles))
      if (isItemFault(entry)) break;
    expect(requested).toEqual(['/feed.json']);
  });

  it('stops with the error of a page that cannot be read', async () => {
    pages = { '/feed.json': feed([article('1')], `${site}/missing.json`) };
    const entries = sources.fetchItems(sources.openSource('json-feed'), input(), articles);
    expect(await entries.next()).toMatchObject({ value: { sourceId: '1' } });
    await expect(entries.next()).rejects.toThrow('A page of the JSON feed cannot be read.');
  });

  it('does not reach a private address, neither first nor on a later page', async () => {
    const source = sources.openSource('json-feed');
    await expect(sources.fetchItems(source, input('http://10.0.0.1'), articles).next()).rejects.toMatchObject(
      {
        code: 'SSRF_BLOCKED',
      },
    );
    pages = { '/feed.json': feed([], 'http://10.0.0.1/2.json') };
    await expect(sources.fetchItems(source, input(), articles).next()).rejects.toMatchObject({
      name: 'DisallowedAddressError',
    });
  });

  it('is shown in full in the documentation, and has 40 lines at most', () => {
    const code = readFileSync(fixture, 'utf8').trim();
    const blocks = readFileSync(fromRoot('docs/import.md'), 'utf8').split(/^```.*\n/m);
    expect(blocks.map((block) => block.trim())).toContain(code);
    expect(code.split('\n').length).toBeLessThanOrEqual(40);
  });
});

describe('openSource', () => {
  it('rejects an unknown id, and names the parameter', () => {
    expect(() => sources.openSource('nothing')).toThrow('sourceId: is not the id of an import source');
  });
});
