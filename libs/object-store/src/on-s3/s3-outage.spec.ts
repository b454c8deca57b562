import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openLine, testS3, type StoreLine } from '@quire/testing';
import { digest, keysOf, manyBytes, put, read } from '../conformance/bytes.js';
import type { ObjectStore } from '../port/object-store.js';
import { ObjectStoreUnavailable } from '../port/object-store-errors.js';
import { s3Store } from './s3-store.js';

const bucket = `quire-outage-${randomUUID()}`;
const patience = { answerMs: 1_000, partMs: 1_000, moveMs: 1_000 };
const severalParts = 20 * 1024 * 1024;

describe('the object store while S3', () => {
  let line: StoreLine;
  let store: ObjectStore;
  beforeEach(async () => {
    line = await openLine(testS3().endpoint);
    store = s3Store({ ...testS3(), bucket, endpoint: line.url, publicEndpoint: undefined, patience });
    await put(store, 'site/name', 'text');
  });
  afterEach(async () => {
    await store.close();
    await line.restore();
    await line.cut();
  });

  const uses: [string, () => Promise<unknown>][] = [
    ['put', () => put(store, 'site/new', 'text')],
    ['get', () => store.get('site/name')],
    ['stat', () => store.stat('site/name')],
    ['copy', () => store.copy('site/name', 'site/copied')],
    ['delete', () => store.delete('site/name')],
    ['list', () => keysOf(store, 'site/')],
    ['ping', () => store.ping()],
  ];

  // A use that waited without an end would be over the time of the test.
  it.each(uses)('is cut off fails %s, and does it again afterwards', async (_name, use) => {
    await line.cut();
    await expect(use()).rejects.toThrow(ObjectStoreUnavailable);
    await line.restore();
    await use();
  });

  it.each(uses)('is silent fails %s, and does it again afterwards', async (_name, use) => {
    line.freeze();
    await expect(use()).rejects.toThrow(ObjectStoreUnavailable);
    await line.restore();
    await use();
  });

  it.each(['cut', 'freeze'] as const)('is gone (%s) in the middle of a put stores nothing', async (how) => {
    function* chunks() {
      yield* manyBytes(severalParts);
      void line[how]();
      yield* manyBytes(severalParts);
    }
    const putting = store.put('site/half', Readable.from(chunks()), { contentType: 'text/plain' });
    await expect(putting).rejects.toThrow(ObjectStoreUnavailable);
    await line.restore();
    expect(await store.stat('site/half')).toBeUndefined();
  });

  it.each(['cut', 'freeze'] as const)('is gone (%s) in the middle of a get fails the stream', async (how) => {
    const bytes = Readable.from(manyBytes(severalParts));
    await store.put('site/large', bytes, { contentType: 'text/plain' });
    const opened = await store.get('site/large');
    opened?.bytes.once('data', () => void line[how]());
    const reading = digest(opened?.bytes ?? []);
    await expect(reading).rejects.toThrow(ObjectStoreUnavailable);
  });

  it('waits for a slow reader does not take him for an outage', async () => {
    const bytes = Readable.from(manyBytes(severalParts));
    await store.put('site/slow', bytes, { contentType: 'text/plain' });
    const opened = await store.get('site/slow');
    let size = 0;
    for await (const chunk of opened?.bytes ?? []) {
      if (size === 0) await new Promise((done) => setTimeout(done, 1_500));
      size += (chunk as Buffer).length;
    }
    expect(size).toBe(severalParts);
  });

  it('is down from the start lets the store be opened, which works when S3 has come', async () => {
    await line.cut();
    const early = s3Store({ ...testS3(), bucket, endpoint: line.url, publicEndpoint: undefined, patience });
    await expect(early.ping()).rejects.toThrow(ObjectStoreUnavailable);
    await line.restore();
    expect(await read(early, 'site/name')).toBe('text');
    await early.close();
  });
});
