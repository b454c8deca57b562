import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  createEntry,
  statusAndCode,
  useSite,
  type ApiResponse,
  type Client,
  type TestEntry,
} from '@quire/testing';
import { future } from './support.js';

const site = useSite();
let admin: Client;
let ann: Client;
let ben: Client;
let entry: TestEntry;
let lock: string;

beforeAll(async () => {
  admin = await site.as('admin');
  [ann, ben] = [await site.another('editor', 'ann'), await site.another('editor', 'ben')];
  await site.collection();
  await admin.post('/taxonomies', { name: 'tag', label: 'Tags', collections: ['posts'] });
});
beforeEach(async () => {
  entry = await createEntry(admin);
  lock = `${entry.path}/lock`;
});

describe('writes while another user holds the lease (contract 8)', () => {
  const restoreOldest = async (client: Client, body: object) => {
    const { items } = (await client.get(`${entry.path}/revisions`)).data;
    return client.post(`/revisions/${items.at(-1).id}/restore`, body);
  };
  const writes: [string, (client: Client, options: object) => Promise<ApiResponse>][] = [
    ['update', (client, options) => client.put(entry.path, { data: { body: 'x' }, ...options })],
    ['publish', (client, options) => client.post(`${entry.path}/publish`, options)],
    ['unpublish', (client, options) => client.post(`${entry.path}/unpublish`, options)],
    [
      'schedule',
      (client, options) => client.post(`${entry.path}/schedule`, { scheduledAt: future, ...options }),
    ],
    ['discard-draft', (client, options) => client.post(`${entry.path}/discard-draft`, options)],
    ['revision restore', restoreOldest],
    [
      'unschedule',
      (client, options) =>
        client.delete(`${entry.path}/schedule${'overrideLock' in options ? '?overrideLock=true' : ''}`),
    ],
    [
      'delete',
      (client, options) =>
        client.delete(`${entry.path}${'overrideLock' in options ? '?overrideLock=true' : ''}`),
    ],
  ];
  /** Published with a draft and a schedule, so that every write changes something. */
  beforeEach(async () => {
    await entry.publish();
    await entry.put({ data: { body: 'staged' } });
    await entry.schedule(future);
  });

  it.each(writes)('%s returns 409 ENTRY_LOCKED with the holder and changes nothing', async (_, write) => {
    const holder = (await ann.post(lock)).data.holder;
    const before = await entry.get();
    const response = await write(ben, {});
    expect([...statusAndCode(response), response.error.details]).toEqual([409, 'ENTRY_LOCKED', holder]);
    expect(response.error.message).toContain('ann@');
    expect(await entry.get()).toEqual(before);
  });

  it.each(writes)(
    '%s returns the same 403 with and without a lease to callers who may not edit the entry',
    async (_, write) => {
      const author = await site.as('author');
      const { error: withoutLease } = await write(author, {});
      await ann.post(lock);
      const response = await write(author, {});
      expect([...statusAndCode(response), response.error]).toEqual([403, 'FORBIDDEN', withoutLease]);
      expect(withoutLease).not.toHaveProperty('details');
    },
  );

  it.each(writes)('%s succeeds with overrideLock, and keeps the lease of the holder', async (name, write) => {
    await ann.post(lock);
    expect((await write(ben, { overrideLock: true })).status).toBe(200);
    if (name !== 'delete') expect((await ben.get(lock)).data.heldByCaller).toBe(false);
  });

  it.each(writes)('%s succeeds for the holder', async (_, write) => {
    await ann.post(lock);
    expect((await write(ann, {})).status).toBe(200);
  });

  it('PUT /content/{collection}/{id} with a stale _rev returns 409 ENTRY_LOCKED', async () => {
    const { _rev } = await entry.get();
    await ann.post(lock);
    await ann.put(entry.path, { data: { body: 'saved' } });
    expect(statusAndCode(await ben.put(entry.path, { data: { body: 'x' }, _rev }))).toEqual([
      409,
      'ENTRY_LOCKED',
    ]);
  });

  it('overrideLock must be a boolean in the body and true or false in the query', async () => {
    expect(statusAndCode(await ben.put(entry.path, { overrideLock: 'true' }))).toEqual([
      400,
      'VALIDATION_ERROR',
    ]);
    expect(statusAndCode(await ben.delete(`${entry.path}?overrideLock=1`))).toEqual([
      400,
      'VALIDATION_ERROR',
    ]);
    await ann.post(lock);
    expect(statusAndCode(await ben.delete(`${entry.path}?overrideLock=false`))).toEqual([
      409,
      'ENTRY_LOCKED',
    ]);
  });

  it('POST /content/{collection}/{id}/terms/{taxonomy} succeeds', async () => {
    const { term } = (await admin.post('/taxonomies/tag/terms', { label: 'Free' })).data;
    await ann.post(lock);
    const response = await ben.post(`${entry.path}/terms/tag`, { termIds: [term.id] });
    expect([response.status, response.data.terms]).toMatchObject([200, [{ label: 'Free' }]]);
    expect((await ann.get(lock)).data.heldByCaller).toBe(true);
  });

  it('GET, compare and duplicate succeed', async () => {
    await ann.post(lock);
    expect((await ben.get(entry.path)).status).toBe(200);
    expect((await ben.get(`${entry.path}/compare`)).status).toBe(200);
    expect((await ben.post(`${entry.path}/duplicate`)).status).toBe(201);
  });

  it('POST /content/{collection}/{id}/restore succeeds', async () => {
    await ann.post(lock);
    await ann.delete(entry.path);
    expect((await ben.post(`${entry.path}/restore`)).status).toBe(200);
  });
});
