import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { legacyCom, legacyRest, type ImportSource, type Match } from '@quire/import-sources';
import { createLogger } from '@quire/observability';
import { ImportSources } from './import-sources.js';
import { probeSite } from './probe-site.js';
import { createSourceNetwork, type SourceNetwork } from './source-network.js';

let server: Server;
let site: string;
let routes: Record<string, RequestListener>;
beforeEach(async () => {
  routes = {};
  server = createServer((request, response) => {
    const respond = routes[request.url ?? ''] ?? ((_, missing) => missing.writeHead(404).end());
    respond(request, response);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
});

const logger = createLogger({ level: 'silent', targets: [] });
const local = createSourceNetwork({ allowLoopback: true });
const builtIn = [legacyCom({}), legacyRest()];

const probe = (
  sources: readonly ImportSource[],
  {
    url = site,
    network = local,
    ...limit
  }: { url?: string; network?: SourceNetwork; sourceTimeoutMs?: number } = {},
) => probeSite({ origin: null }, { sources: new ImportSources(sources, network), logger, ...limit }, url);

/** For sources that hang; the others of the test need no requests. */
const shortly = { sourceTimeoutMs: 200 };

const matchOf = (confidence: Match['confidence'], change: Partial<Match> = {}): Match => ({
  sourceId: 'any',
  confidence,
  detected: { platform: 'feed' },
  capabilities: {
    publicContent: true,
    privateContent: false,
    customPostTypes: false,
    allMeta: false,
    mediaStream: false,
  },
  suggestedAction: { type: 'proceed' },
  ...change,
});

/** A source with this id and probe. */
const source = (id: string, probeIt: NonNullable<ImportSource['probe']>): ImportSource => ({
  ...legacyRest(),
  id,
  probe: probeIt,
});
const finding = (id: string, confidence: Match['confidence'], change?: Partial<Match>) =>
  source(id, () => Promise.resolve(matchOf(confidence, change)));

const root = { name: 'A &amp; <b>B</b>\u0007', home: 'https://blog.example', namespaces: ['wp/v2'] };
const json =
  (value: unknown, headers = {}): RequestListener =>
  (_, response) =>
    response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));

describe('probeSite', () => {
  it('suggests an upload when nothing matches', async () => {
    expect(await probe(builtIn)).toEqual({
      success: true,
      result: {
        url: site,
        isLegacy: false,
        isLegacyPlatform: false,
        bestMatch: null,
        allMatches: [],
        suggestedAction: { type: 'upload', instructions: expect.stringContaining('export file') },
      },
    });
  });

  it('detects a self-hosted site, and cleans its title', async () => {
    routes = {
      '/wp-json/': json(root),
      '/wp-json/wp/v2/posts?per_page=1': json([], { 'x-wp-total': '9' }),
    };
    const { result } = await probe(builtIn);
    expect(result).toMatchObject({
      url: site,
      isLegacy: true,
      isLegacyPlatform: true,
      bestMatch: { sourceId: 'legacy-rest', detected: { siteTitle: 'A & B' }, preview: { posts: 9 } },
      suggestedAction: { type: 'upload' },
    });
    expect(result.allMatches).toEqual([result.bestMatch]);
    expect(result.suggestedAction).toEqual(result.bestMatch?.suggestedAction);
  });

  it('prefers the hosted edition when both match', async () => {
    routes = { '/wp-json/': json({ ...root, namespaces: ['wp/v2', 'wpcomsh/v1'] }) };
    const { result } = await probe(builtIn);
    expect(result.allMatches.map(({ sourceId }) => sourceId)).toEqual(['legacy-com', 'legacy-rest']);
  });

  it('sorts matches by confidence, then by registration', async () => {
    const { result } = await probe([
      finding('third', 'possible'),
      finding('second-a', 'likely'),
      finding('first', 'definite'),
      finding('second-b', 'likely'),
      source('none', () => Promise.resolve(null)),
    ]);
    expect(result.allMatches.map(({ sourceId }) => sourceId)).toEqual([
      'first',
      'second-a',
      'second-b',
      'third',
    ]);
    expect(result.bestMatch?.sourceId).toBe('first');
  });

  it('does not take a match of another source for the legacy platform', async () => {
    const { result } = await probe([finding('feed', 'definite', { sourceId: 'legacy-rest' })]);
    expect(result).toMatchObject({
      isLegacy: false,
      bestMatch: { sourceId: 'feed' },
      suggestedAction: { type: 'proceed' },
    });
  });

  it('passes over sources that fail, hang or return an invalid match', async () => {
    const { result } = await probe(
      [
        source('throws', () => {
          throw new Error('broken');
        }),
        source('rejects', () => Promise.reject(new Error('broken'))),
        source('hangs', () => new Promise(() => undefined)),
        finding('invalid', 'certain' as 'definite'),
        source('undefined', () => Promise.resolve(undefined as unknown as null)),
        finding('good', 'possible'),
      ],
      shortly,
    );
    expect(result.allMatches.map(({ sourceId }) => sourceId)).toEqual(['good']);
  });

  it('aborts the requests of a source that exceeds the time limit', async () => {
    let closed: Promise<void> | undefined;
    routes['/slow'] = (request) => {
      closed = new Promise((done) => request.once('close', done));
    };
    const slow = source('slow', async (url, { fetch }) => {
      await fetch(`${url}/slow`);
      return matchOf('definite');
    });
    expect((await probe([slow], shortly)).result.bestMatch).toBeNull();
    await closed;
  });

  it('calls only sources that can probe, with themselves as this', async () => {
    const own = { ...finding('own', 'likely'), title: 'Own' };
    own.probe = function (this: typeof own) {
      return Promise.resolve(matchOf('likely', { detected: { platform: this.title } }));
    };
    const off = { ...finding('off', 'definite'), canProbe: false };
    const { result } = await probe([off, own]);
    expect(result.allMatches.map(({ detected }) => detected.platform)).toEqual(['Own']);
  });

  it.each([
    [
      'a redirect to a private address',
      (_, response) => response.writeHead(302, { location: 'http://10.0.0.1/' }).end(),
    ],
    ['a redirect without end', (_, response) => response.writeHead(302, { location: '/wp-json/' }).end()],
    ['broken JSON', (_, response) => response.end('{"namespaces": [')],
    ['a body above 8 MB', json({ ...root, routes: 'x'.repeat(9 * 1024 * 1024) })],
  ] as [string, RequestListener][])('finds no match behind %s', async (_, respond) => {
    routes = { '/wp-json/': respond, '/?rest_route=/': respond };
    expect((await probe(builtIn)).result).toMatchObject({ isLegacy: false, bestMatch: null });
  });

  it('finds no match behind a server that never responds', async () => {
    routes = { '/wp-json/': () => undefined };
    expect((await probe(builtIn, shortly)).result).toMatchObject({ isLegacy: false, bestMatch: null });
  });

  it('finds no match where no server is', async () => {
    const url = 'http://127.0.0.1:9';
    expect((await probe(builtIn, { url })).result).toMatchObject({ url, bestMatch: null });
  });

  it.each([
    'http://127.0.0.1',
    'https://10.1.2.3',
    'http://169.254.169.254',
    'http://100.64.0.1',
    'http://[::1]',
    'http://[::ffff:192.168.0.1]',
    'http://[fd00::1]',
    'http://0x7f.1',
    'http://localhost:8080',
    'http://inside.example',
    'http://missing.example',
  ])('rejects %s before a source runs', async (url) => {
    const asked: string[] = [];
    const spy = source('spy', (address) => {
      asked.push(address);
      return Promise.resolve(null);
    });
    const network = createSourceNetwork({
      lookup: (hostname, _, callback) => {
        const address = { 'inside.example': '10.0.0.1', localhost: '127.0.0.1' }[hostname];
        if (hostname === 'missing.example') callback(new Error('ENOTFOUND'), []);
        else callback(null, [{ address: address ?? hostname, family: 4 }]);
      },
    });
    await expect(probe([spy], { url, network })).rejects.toMatchObject({ code: 'SSRF_BLOCKED', status: 400 });
    expect(asked).toEqual([]);
  });
});
