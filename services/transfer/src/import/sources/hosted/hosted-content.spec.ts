import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  hostedApiOrigin,
  isItemFault,
  type Item,
  type ItemFault,
  type SourceInput,
} from '@quire/import-sources';
import { guardedFetch } from '@quire/outgoing-http';
import { createImportSources } from '../create-import-sources.js';
import type { ImportSources } from '../import-sources.js';
import type { SourceNetwork } from '../source-network.js';
import { hostedContent } from './hosted-content.js';

let server: Server;
let network: SourceNetwork;
let requests: { path: string; query: Record<string, string>; authorization: string | undefined }[];
/** Responses by path below the site. */
let routes: Record<string, RequestListener>;
const base = '/wp/v2/sites/ann.wordpress.com/';

beforeEach(async () => {
  requests = [];
  server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(String(request.url), hostedApiOrigin);
    const path = pathname.replace(base, '');
    requests.push({
      path,
      query: Object.fromEntries(searchParams),
      authorization: request.headers.authorization,
    });
    (routes[path] ?? ((_, missing) => missing.writeHead(404).end('{}')))(request, response);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const local = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const reach = guardedFetch({ allowLoopback: true });
  const contentFetch: SourceNetwork['contentFetch'] = (address, request) => {
    const url = new URL(address);
    if (url.origin !== hostedApiOrigin) return Promise.reject(new Error(`unexpected ${url.origin}`));
    return reach(`${local}${url.pathname}${url.search}`, request);
  };
  network = {
    contentFetch,
    probeFetch: contentFetch,
    tokenFetch: contentFetch,
    check: () => Promise.resolve(),
  };
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
});

const json =
  (value: unknown, headers: Record<string, string> = {}): RequestListener =>
  (_, response) =>
    response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));
const pageOf = ({ url }: IncomingMessage) =>
  Number(new URL(String(url), hostedApiOrigin).searchParams.get('page'));
const types = json({
  post: { slug: 'post', rest_base: 'posts' },
  page: { slug: 'page', rest_base: 'pages' },
  wp_template: { slug: 'wp_template', rest_base: 'templates' },
});
const post = (id: number, change: object = {}) => ({
  id,
  type: 'post',
  status: 'publish',
  slug: `post-${id}`,
  title: { raw: `Post ${id}`, rendered: '' },
  content: { raw: '<!-- wp:paragraph --><p>Hello</p><!-- /wp:paragraph -->' },
  date_gmt: '2024-06-01T10:00:00',
  modified_gmt: '2024-06-02T10:00:00',
  parent: 0,
  meta: [],
  ...change,
});

const input: SourceInput = { type: 'oauth', url: 'https://ann.wordpress.com', accessToken: 'token' };
const sourceOf = (sources: ImportSources) => ({ ...sources.openSource('legacy-com'), ...hostedContent(1) });
async function read(options: object = {}, given: SourceInput = input): Promise<(Item | ItemFault)[]> {
  const sources = createImportSources({ application: {}, configured: [] }, network);
  const entries = [];
  const all = { postTypes: ['post', 'page', 'wp_template'], ...options };
  for await (const entry of sources.fetchItems(sourceOf(sources), given, all)) entries.push(entry);
  return entries;
}

describe('legacy-com, a connected site', () => {
  it('yields the items of all pages with terms, author and image', async () => {
    const embedded = {
      author: [{ slug: 'ann' }],
      'wp:term': [[{ taxonomy: 'category', slug: 'news' }], [{ taxonomy: 'genre', slug: '%e6%97%a5' }]],
      'wp:featuredmedia': [{ source_url: 'https://ann.files.example/a.jpg' }],
    };
    routes = {
      types,
      posts: (request, response) =>
        json([post(pageOf(request), { _embedded: embedded, meta: { mood: 'good' } })], {
          'x-wp-totalpages': '2',
        })(request, response),
      pages: json([post(9, { type: 'page', parent: 3, menu_order: 2 })]),
    };
    const items = await read();
    expect(items).toEqual([
      expect.objectContaining({
        sourceId: '1',
        postType: 'post',
        status: 'publish',
        date: '2024-06-01T10:00:00.000Z',
        author: 'ann',
        categories: ['news'],
        customTaxonomies: { genre: ['日'] },
        meta: { mood: 'good' },
        featuredImage: 'https://ann.files.example/a.jpg',
        content: [expect.objectContaining({ _type: 'block', style: 'normal' })],
      }),
      expect.objectContaining({ sourceId: '2' }),
      expect.objectContaining({ sourceId: '9', postType: 'page', parentId: '3', menuOrder: 2 }),
    ]);
    expect(requests.map(({ path }) => path)).toEqual(['types', 'posts', 'posts', 'pages']);
    expect(new Set(requests.map(({ authorization }) => authorization))).toEqual(new Set(['Bearer token']));
    expect(requests[1]?.query['status']).toBe('publish');
  });

  it('requests drafts and private posts on demand, and keeps protected ones private', async () => {
    routes = {
      types,
      posts: json([
        post(1, { status: 'draft', date_gmt: null }),
        post(2, { password: 'x' }),
        post(3, { status: 'odd' }),
      ]),
    };
    const items = (await read({ postTypes: ['post'], includeDrafts: true })) as Item[];
    expect(items.map(({ status }) => status)).toEqual(['draft', 'private', 'draft']);
    expect(items[0]?.date).toBe('2024-06-02T10:00:00.000Z');
    expect(requests[1]?.query['status']).toBe('publish,draft,pending,private,future');
  });

  it('reports a malformed post, and continues', async () => {
    routes = { types, posts: json([post(1, { content: 'text' }), post(2)]) };
    const items = await read({ postTypes: ['post'] });
    expect(items.map(isItemFault)).toEqual([true, false]);
    expect(items[0]).toMatchObject({ sourceId: '1', title: 'Post 1' });
  });

  it('requests no page after the limit', async () => {
    routes = { types, posts: json([post(1), post(2)], { 'x-wp-totalpages': '5' }) };
    expect(await read({ postTypes: ['post'], limit: 2 })).toHaveLength(2);
    expect(requests.map(({ path }) => path)).toEqual(['types', 'posts']);
  });

  it('repeats a request after temporary failures', async () => {
    let failures = 2;
    routes = {
      types,
      posts: (request, response) => {
        failures -= 1;
        if (failures >= 0) return response.writeHead(failures === 0 ? 429 : 503).end();
        return json([post(1)])(request, response);
      },
    };
    expect(await read({ postTypes: ['post'] })).toHaveLength(1);
  });

  it.each([
    [401, 'does not accept the connection', 1],
    [404, 'has no such site', 1],
    [500, 'responded with status 500', 3],
  ])('ends at status %s with a message for the user', async (status, message, attempts) => {
    routes = { types: (_, response) => response.writeHead(status).end('{}') };
    await expect(read()).rejects.toThrow(message);
    expect(requests).toHaveLength(attempts);
  });

  it('requires a connection', async () => {
    await expect(read({}, { type: 'url', url: 'https://ann.wordpress.com' })).rejects.toThrow(
      'Connect the site',
    );
  });

  it('counts its content in the analysis', async () => {
    const total = (count: number) => json([{}], { 'x-wp-total': String(count) });
    routes = {
      types,
      posts: total(3),
      pages: total(40),
      media: total(7),
      categories: total(2),
      tags: total(1),
    };
    const sources = createImportSources({ application: {}, configured: [] }, network);
    const getExistingCollections = () =>
      Promise.resolve(new Map([['posts', [{ slug: 'title', type: 'string' }]]]));
    const { signal } = new AbortController();
    const analysis = await sources.analyze(sourceOf(sources), input, { signal, getExistingCollections });
    expect(analysis).toMatchObject({
      sourceId: 'legacy-com',
      categories: 2,
      tags: 1,
      attachments: { count: 7 },
    });
    expect(analysis.postTypes.map(({ name, count, status }) => [name, count, status])).toEqual([
      ['page', 40, 'new_collection'],
      ['post', 3, 'add_fields'],
    ]);
  });
});
