import { beforeAll, describe, expect, it } from '@jest/globals';
import { createEntry, type Client, type Site, type TestEntry } from '@quire/testing';
import { Pool } from 'undici';
import { useTestEnvironment } from './support.js';

/** Reads and writes of the mixed load: `QUIRE_MIXED_REQUESTS` of `npm test`, or as many as a few seconds allow. */
const requestCount = Number(
  (globalThis as { __QUIRE_MIXED_REQUESTS__?: string }).__QUIRE_MIXED_REQUESTS__ ?? 2_000,
);
const timeoutMs = 120_000 + requestCount * 5;
const entryCount = 12;
/** Fewer than there are objects to write, so that a client always finds one. */
const clients = 12;
const shareOfWrites = 0.1;

const testEnvironment = useTestEnvironment({ arrangement: 'two-servers' });
let site: Site;
let admin: Client;
let servers: Pool[];
let opsPorts: number[];
let headers: Record<string, string>;

let entries: TestEntry[];
let person: TestEntry;
let bylineId: string;

beforeAll(async () => {
  site = await testEnvironment.openSite();
  admin = await site.as('admin');
  await site.collection({
    slug: 'people',
    supports: [],
    titleField: 'name',
    fields: [{ slug: 'name', type: 'string' }],
  });
  await site.collection({ supports: [], fields: [{ slug: 'count', type: 'integer', indexed: true }] });
  await admin.post('/schema/collections/posts/fields', {
    slug: 'people',
    label: 'People',
    type: 'reference',
    validation: { targetCollection: 'people', multiple: true },
  });
  bylineId = (await admin.post('/admin/bylines', { slug: 'ann', displayName: '0' })).data.id;
  const unnamed = { title: undefined, body: undefined };
  person = await createEntry(admin, 'people', { ...unnamed, name: '0' });
  await person.publish();
  entries = [];
  for (let index = 0; index < entryCount; index += 1) {
    const more = { bylines: [{ bylineId }], references: { people: [person.id] } };
    const entry = await createEntry(admin, 'posts', { ...unnamed, count: 0 }, more);
    await entry.publish();
    entries.push(entry);
  }
  const tokens = {
    tenant: site.tenant,
    role: 'admin',
    email: `load@${site.tenant}.example`,
    scopes: ['admin'],
  };
  const { token } = await testEnvironment.control<{ token: string }>('/tokens', tokens);
  headers = { host: site.host, authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const { processes } = await testEnvironment.installation();
  const gateways = processes.filter(({ targets }) => targets.includes('gateway'));
  servers = gateways.map(({ port }) => new Pool(`http://127.0.0.1:${port}`, { connections: 16 }));
  opsPorts = gateways.map(({ opsPort }) => opsPort);
});

const pick = <Value>(values: readonly Value[]) => values[Math.floor(Math.random() * values.length)] as Value;

interface Item {
  id: string;
  data: { count: number };
  bylines: { byline: { displayName: string } }[];
}
interface Shown {
  items: Item[];
  /** The title of the linked entry, in a single read. */
  linked: string | undefined;
}

/** A client that repeats requests with the validator of the last response, and remembers what it was. */
class PollingReader {
  private readonly seen = new Map<string, { etag: string; shown: Shown }>();
  notModified = 0;

  async read(server: Pool, path: string): Promise<Shown> {
    const known = Math.random() < 0.5 ? this.seen.get(path) : undefined;
    const validators = known ? { 'if-none-match': known.etag } : {};
    const response = await server.request({
      method: 'GET',
      path: `/_cms/api${path}`,
      headers: { ...headers, ...validators },
    });
    const text = await response.body.text();
    if (response.statusCode === 304 && known) {
      this.notModified += 1;
      return known.shown;
    }
    if (response.statusCode !== 200) throw new Error(`${response.statusCode} ${text}`);
    const { data } = JSON.parse(text) as {
      data: { items?: Item[]; item?: Item; references?: { people: { items: { title: string }[] } } };
    };
    const shown = {
      items: data.items ?? (data.item ? [data.item] : []),
      linked: data.references?.people.items[0]?.title,
    };
    this.seen.set(path, { etag: String(response.headers['etag']), shown });
    return shown;
  }
}

async function write(server: Pool, path: string, body: object): Promise<void> {
  const response = await server.request({
    method: 'PUT',
    path: `/_cms/api${path}`,
    headers,
    body: JSON.stringify(body),
  });
  const text = await response.body.text();
  if (response.statusCode !== 200) throw new Error(`${response.statusCode} ${text}`);
}

describe('reads of two processes during writes', () => {
  it(
    'never show less than what was written before they began',
    async () => {
      /** The last number that was acknowledged, by the id of what shows it. */
      const written = new Map<string, number>(
        [...entries.map(({ id }) => id), bylineId, person.id].map((id) => [id, 0]),
      );
      let sent = 0;
      let reads = 0;
      let staleReads = 0;
      let notModified = 0;
      const targets: [id: string, path: string, bodyOf: (count: number) => object][] = [
        ...entries.map(({ id, path }) => [id, path, (count: number) => ({ data: { count } })] as never),
        [bylineId, `/admin/bylines/${bylineId}`, (count) => ({ displayName: String(count) })],
        [person.id, person.path, (count) => ({ data: { name: String(count) } })],
      ];
      /** Those that no request writes now: the numbers of each grow in the order of its writes. */
      const free = new Set(targets);

      const writeOne = async () => {
        const target = pick([...free]);
        free.delete(target);
        const [id, path, bodyOf] = target;
        const count = (written.get(id) ?? 0) + 1;
        await write(pick(servers), path, bodyOf(count));
        written.set(id, count);
        free.add(target);
      };
      const readOne = async (reader: PollingReader) => {
        const before = new Map(written);
        const lists = ['limit=100', 'orderBy=count', `bylines=${bylineId}`].map(
          (query) => `/content/posts?${query}`,
        );
        const { items, linked } = await reader.read(pick(servers), pick([pick(entries).path, ...lists]));
        const isStale = items.some(
          ({ id, data, bylines }) =>
            data.count < (before.get(id) ?? 0) ||
            Number(bylines[0]?.byline.displayName) < (before.get(bylineId) ?? 0),
        );
        const isLinkedStale = linked !== undefined && Number(linked) < (before.get(person.id) ?? 0);
        if (items.length === 0 || isStale || isLinkedStale) staleReads += 1;
        reads += 1;
      };
      const work = async () => {
        const reader = new PollingReader();
        while (sent < requestCount) {
          sent += 1;
          await (Math.random() < shareOfWrites ? writeOne() : readOne(reader));
        }
        notModified += reader.notModified;
      };
      await Promise.all(Array.from({ length: clients }, work));
      expect(staleReads).toBe(0);
      expect(notModified).toBeGreaterThan(0);
      expect(await cacheHits()).toBeGreaterThan(reads / 20);
    },
    timeoutMs,
  );
});

/** Cached responses that both processes have sent. */
async function cacheHits(): Promise<number> {
  const texts = await Promise.all(
    opsPorts.map(async (port) => (await fetch(`http://127.0.0.1:${port}/metrics`)).text()),
  );
  const hits = texts.map(
    (text) => /^quire_content_response_cache_reads_total\{result="hit"\} (\d+)/m.exec(text)?.[1],
  );
  await Promise.all(servers.map((server) => server.close()));
  return hits.reduce((sum, count) => sum + Number(count), 0);
}
