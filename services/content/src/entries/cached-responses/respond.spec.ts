import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Context } from '@quire/context';
import { Conditional } from '@quire/http-server';
import type { MediaClient } from '../../clients/index.js';
import type { CollectionDefinition } from '../../schema/index.js';
import { respond, type EntryRead } from './respond.js';
import { ResponseCache } from './response-cache.js';

type Definition = Pick<CollectionDefinition, 'statementKey' | 'isCounted' | 'columns'>;
const plain: Definition = { statementKey: 'posts.1', isCounted: true, columns: [] };
const withImages = { ...plain, columns: [{ slug: 'hero', type: 'image' }] } as unknown as Definition;

/** A site whose content is a text; every change of it changes the version. */
let stored: { text: string; version: string | null };
let images: number | null;
/** The statements of the request, in order. */
let statements: string[];
let counted: string[];
let cache: ResponseCache;

beforeEach(() => {
  stored = { text: 'old', version: '1' };
  images = null;
  counted = [];
  cache = new ResponseCache(1_000_000, (result) => counted.push(result));
});
const change = (text: string) => (stored = { text, version: `${Number(stored.version) + 1}` });
const media = { state: () => Promise.resolve(images) } as unknown as MediaClient;

interface Request extends Partial<EntryRead<unknown>> {
  ifNoneMatch?: string;
  site?: { id: string; database: string | null };
  of?: Definition;
  /** Runs between the first statement and the read. */
  meanwhile?: () => void;
  isComplete?: boolean;
  hasNoState?: boolean;
}

/** Sends a request. @returns its body or 304, its ETag, and its statements */
async function send({
  ifNoneMatch,
  site = { id: 'a', database: null },
  of = plain,
  meanwhile,
  isComplete = true,
  hasNoState = false,
  key = ['list'],
  readsBefore = false,
}: Request = {}) {
  statements = [];
  const query = () => {
    statements.push('version');
    const rows = [{ version: stored.version }];
    meanwhile?.();
    return Promise.resolve(rows);
  };
  const ctx = { principal: { tenant: site }, db: { query } } as unknown as Context;
  const headers: Record<string, string> = {};
  const conditional = new Conditional(ifNoneMatch, (name, value) => (headers[name] = value));
  const row = (column: string) => (column === '' ? undefined : { _version: stored.version });
  const read: EntryRead<{ text: string }> = {
    definition: of as CollectionDefinition,
    counters: ['content_posts'],
    key,
    readsBefore,
    readState: (column) => {
      statements.push('state');
      return Promise.resolve({ state: stored.text, row: row(column) });
    },
    read: (column) => {
      statements.push('read');
      const result = { result: { text: stored.text }, state: stored.text, row: row(column) };
      return Promise.resolve({ ...result, isComplete, hasNoState });
    },
  };
  try {
    const result = await respond(ctx, media, { conditional, cache }, read);
    // A part of a larger memory would be kept as a whole.
    if (Buffer.isBuffer(result)) expect(result.buffer.byteLength).toBe(result.length);
    const text = Buffer.isBuffer(result) ? (JSON.parse(result.toString()) as { data: object }).data : result;
    return { ...text, etag: headers['etag'], type: headers['content-type'], statements };
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'NotModified') throw error;
    return { text: 304, etag: (error as Error & { etag: string }).etag, statements };
  }
}

describe('respond', () => {
  it('reads a response once: the next request costs one statement', async () => {
    const first = await send();
    expect(first).toMatchObject({ text: 'old', statements: ['read'] });
    expect(await send()).toEqual({ ...first, statements: ['version'] });
    expect(first.type).toBe('application/json; charset=utf-8');
    expect(counted).toEqual(['miss', 'hit']);
  });

  it('reads again after a change, and stores the new response', async () => {
    await send();
    change('new');
    expect(await send()).toMatchObject({ text: 'new', statements: ['version', 'read'] });
    expect(await send()).toMatchObject({ text: 'new', statements: ['version'] });
  });

  it('does not find a response again that a change was made after, whatever its text', async () => {
    await send();
    change('new');
    change('old');
    expect(await send()).toMatchObject({ text: 'old', statements: ['version', 'read'] });
  });

  it('returns 304 without a read while nothing has changed', async () => {
    const { etag = '' } = await send();
    expect(await send({ ifNoneMatch: etag })).toEqual({ text: 304, etag, statements: ['version'] });
    expect(await send({ ifNoneMatch: '"other"' })).toMatchObject({ text: 'old', statements: ['version'] });
    change('new');
    const changed = await send({ ifNoneMatch: etag });
    expect(changed).toMatchObject({ text: 'new', statements: ['version', 'state', 'read'] });
  });

  it('remembers the state that a 304 was sent for', async () => {
    const { etag = '' } = await send({ hasNoState: false });
    cache = new ResponseCache(1_000_000);
    expect(await send({ ifNoneMatch: etag })).toMatchObject({ text: 304, statements: ['state'] });
    expect(await send({ ifNoneMatch: etag })).toMatchObject({ text: 304, statements: ['version'] });
    expect(await send()).toMatchObject({ text: 'old', etag, statements: ['version', 'read'] });
    expect(await send()).toMatchObject({ text: 'old', etag, statements: ['version'] });
  });

  it.each<[string, Request]>([
    ['another key', { key: ['list', 'other'] }],
    ['another site', { site: { id: 'b', database: null } }],
    ['a site in another database', { site: { id: 'a', database: 'eu' } }],
    ['another definition of the collection', { of: { ...plain } }],
  ])('never uses the response for %s', async (_, request) => {
    await send();
    expect(await send(request)).toMatchObject({ statements: ['read'] });
    expect(await send()).toMatchObject({ statements: ['version'] });
  });

  it('reads the version first where other statements read before that of the response', async () => {
    const readsBefore = true;
    const meanwhile = () => void change('new');
    expect(await send({ readsBefore, meanwhile })).toMatchObject({
      text: 'new',
      statements: ['version', 'read'],
    });
    // The response may be of filters from before the change.
    expect(await send({ readsBefore })).toMatchObject({ text: 'new', statements: ['version', 'read'] });
    expect(await send({ readsBefore })).toMatchObject({ text: 'new', statements: ['version'] });
  });

  it('stores no response that is read after another version', async () => {
    await send();
    change('new');
    const meanwhile = () => void change('newer');
    expect(await send({ meanwhile })).toMatchObject({ text: 'newer' });
    expect(await send()).toMatchObject({ text: 'newer', statements: ['version', 'read'] });
  });

  it.each<[string, Request, () => void]>([
    ['is not counted', { of: { ...plain, isCounted: false } }, () => undefined],
    ['shows a table without a counter', {}, () => (stored.version = null)],
    ['lacks files of images', { of: withImages, isComplete: false }, () => (images = 1)],
    ['may show images while the media service is unavailable', { of: withImages }, () => (images = null)],
    ['depends on more than its state', { hasNoState: true }, () => undefined],
    ['is larger than the cache allows', {}, () => (stored.text = 'x'.repeat(20_000))],
    ['has no cache', {}, () => (cache = new ResponseCache(0))],
  ])('stores no response that %s', async (_, request, prepare) => {
    prepare();
    await send(request);
    expect((await send(request)).statements).toContain('read');
    expect(cache.bytes).toBe(0);
  });

  it('reads again when a file of an image has changed', async () => {
    images = 1;
    await send({ of: withImages });
    expect(await send({ of: withImages })).toMatchObject({ statements: ['version'] });
    images = 2;
    expect(await send({ of: withImages })).toMatchObject({ statements: ['read'] });
  });

  it('stores no response when a file changes during the read', async () => {
    images = 1;
    const states = [1, 2];
    const changing = { state: () => Promise.resolve(states.shift() ?? 2) } as unknown as MediaClient;
    const ctx = { principal: { tenant: { id: 'a', database: null } }, db: {} } as unknown as Context;
    const headers: string[] = [];
    const conditional = new Conditional(undefined, (name) => headers.push(name));
    const result = { result: { text: 'old' }, state: 'old', row: { _version: '1' }, isComplete: true };
    const read = {
      definition: withImages as CollectionDefinition,
      counters: ['content_posts'],
      key: ['list'],
      readsBefore: false,
      readState: () => Promise.resolve(result),
      read: () => Promise.resolve(result),
    };
    expect(await respond(ctx, changing, { conditional, cache }, read)).toEqual({ text: 'old' });
    expect(headers).toEqual([]);
    expect(cache.bytes).toBe(0);
  });

  it('bounds the bytes of all responses', async () => {
    cache = new ResponseCache(100_000);
    for (let index = 0; index < 500; index += 1) await send({ key: ['list', index] });
    expect(cache.bytes).toBeLessThanOrEqual(100_000);
    expect(cache.bytes).toBeGreaterThan(90_000);
    expect(await send({ key: ['list', 499] })).toMatchObject({ statements: ['version'] });
    expect(await send({ key: ['list', 0] })).toMatchObject({ statements: ['read'] });
  });
});
