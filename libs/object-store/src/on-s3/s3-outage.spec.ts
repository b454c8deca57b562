import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { openLine, testS3, type StoreLine } from '@quire/testing';
import { digest, keysOf, manyBytes, put, read } from '../conformance/bytes.js';
import type { ObjectStore } from '../port/object-store.js';
import { ObjectStoreUnavailable } from '../port/object-store-errors.js';
import { s3Store } from './s3-store.js';

const bucket = `quire-outage-${randomUUID()}`;
const waitMs = 3_000;
const patience = { answerMs: waitMs, partMs: waitMs, moveMs: waitMs };
const severalParts = 20 * 1024 * 1024;

// A busy machine may take its time.
jest.setTimeout(60_000);

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

  const uses: (() => Promise<unknown>)[] = [
    () => put(store, 'site/new', 'text'),
    () => store.get('site/name'),
    () => store.stat('site/name'),
    () => store.copy('site/name', 'site/copied'),
    () => store.delete('site/new'),
    () => keysOf(store, 'site/'),
    () => store.ping(),
  ];

  // A use that waited without an end would be over the time of the test.
  it.each(['cut', 'freeze'] as const)('is gone (%s) fails every use, and none afterwards', async (how) => {
    await line[how]();
    const results = await Promise.allSettled(uses.map((use) => use()));
    for (const result of results)
      expect(result).toMatchObject({ status: 'rejected', reason: expect.any(ObjectStoreUnavailable) });
    await line.restore();
    for (const use of uses) await use();
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

  it('is gone before anybody reads what was opened fails the stream, not the process', async () => {
    const bytes = Readable.from(manyBytes(severalParts));
    await store.put('site/unread', bytes, { contentType: 'text/plain' });
    const opened = await store.get('site/unread');
    await line.cut();
    await new Promise((done) => setTimeout(done, 200));
    await expect(digest(opened?.bytes ?? [])).rejects.toThrow(ObjectStoreUnavailable);
  });

  it('waits for a slow reader does not take him for an outage', async () => {
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

  it('is down from the start lets the store be opened, which works when S3 has come', async () => {
    await line.cut();
    const early = s3Store({ ...testS3(), bucket, endpoint: line.url, publicEndpoint: undefined, patience });
    await expect(early.ping()).rejects.toThrow(ObjectStoreUnavailable);
    await line.restore();
    expect(await read(early, 'site/name')).toBe('text');
    await early.close();
  });
});
