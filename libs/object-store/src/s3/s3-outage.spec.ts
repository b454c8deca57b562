import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createTcpProxy, testS3, type TcpProxy } from '@quire/testing';
import { digest, keysOf, manyBytes, put, read } from '../conformance/bytes.js';
import type { ObjectStore } from '../port/object-store.js';
import { ObjectStoreUnavailable } from '../port/object-store-errors.js';
import { createS3Store } from './s3-store.js';

const bucket = `quire-outage-${randomUUID()}`;
const waitMs = 3_000;
const timeouts = { responseMs: waitMs, partMs: waitMs, moveMs: waitMs };
const severalParts = 20 * 1024 * 1024;

// A busy machine may be slow.

describe('the object store while S3', () => {
  let proxy: TcpProxy;
  let store: ObjectStore;
  beforeEach(async () => {
    proxy = await createTcpProxy(testS3().endpoint);
    store = createS3Store({ ...testS3(), bucket, endpoint: proxy.url, publicEndpoint: undefined, timeouts });
    await put(store, 'site/name', 'text');
  });
  afterEach(async () => {
    await store.close();
    await proxy.restore();
    await proxy.disconnect();
  });

  const uses: (() => Promise<unknown>)[] = [
    () => put(store, 'site/new', 'text'),
    () => store.get('site/name'),
    () => store.stat('site/name'),
    () => store.copy('site/name', 'site/copied'),
    () => store.delete('site/new'),
    () => store.deleteMany(['site/new']),
    () => keysOf(store, 'site/'),
    () => store.ping(),
  ];

  // A call that waited without an end would exceed the test's time limit.
  it.each(['disconnect', 'stall'] as const)(
    'is unreachable (%s) fails every call, and none afterwards',
    async (how) => {
      await proxy[how]();
      const results = await Promise.allSettled(uses.map((use) => use()));
      for (const result of results)
        expect(result).toMatchObject({ status: 'rejected', reason: expect.any(ObjectStoreUnavailable) });
      await proxy.restore();
      for (const use of uses) await use();
    },
  );

  it.each(['disconnect', 'stall'] as const)(
    'becomes unreachable (%s) during a put stores nothing',
    async (how) => {
      function* chunks() {
        yield* manyBytes(severalParts);
        void proxy[how]();
        yield* manyBytes(severalParts);
      }
      const putting = store.put('site/half', Readable.from(chunks()), { contentType: 'text/plain' });
      await expect(putting).rejects.toThrow(ObjectStoreUnavailable);
      await proxy.restore();
      expect(await store.stat('site/half')).toBeUndefined();
    },
  );

  it.each(['disconnect', 'stall'] as const)(
    'becomes unreachable (%s) during a get fails the stream',
    async (how) => {
      const bytes = Readable.from(manyBytes(severalParts));
      await store.put('site/large', bytes, { contentType: 'text/plain' });
      const opened = await store.get('site/large');
      opened?.bytes.once('data', () => void proxy[how]());
      const reading = digest(opened?.bytes ?? []);
      await expect(reading).rejects.toThrow(ObjectStoreUnavailable);
    },
  );

  it('becomes unreachable before an opened object is read fails the stream, not the process', async () => {
    const bytes = Readable.from(manyBytes(severalParts));
    await store.put('site/unread', bytes, { contentType: 'text/plain' });
    const opened = await store.get('site/unread');
    await proxy.disconnect();
    await new Promise((done) => setTimeout(done, 200));
    await expect(digest(opened?.bytes ?? [])).rejects.toThrow(ObjectStoreUnavailable);
  });

  it('has a slow reader does not time out', async () => {
    const bytes = Readable.from(manyBytes(severalParts));
    await store.put('site/slow', bytes, { contentType: 'text/plain' });
    const opened = await store.get('site/slow');
    let size = 0;
    for await (const chunk of opened?.bytes ?? []) {
      if (size === 0) await new Promise((done) => setTimeout(done, waitMs * 1.5));
      size += (chunk as Buffer).length;
    }
    expect(size).toBe(severalParts);
  });

  it('is down from the start opens, and works once S3 is up', async () => {
    await proxy.disconnect();
    const early = createS3Store({
      ...testS3(),
      bucket,
      endpoint: proxy.url,
      publicEndpoint: undefined,
      timeouts,
    });
    await expect(early.ping()).rejects.toThrow(ObjectStoreUnavailable);
    await proxy.restore();
    expect(await read(early, 'site/name')).toBe('text');
    await early.close();
  });
});
