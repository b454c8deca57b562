import { Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import type { ObjectStore } from '../port/object-store.js';
import { ObjectSizeMismatch, ObjectTooLarge } from '../port/object-store-errors.js';
import { buffersInUse, digest, keysOf, manyBytes, put, read, failingSource } from './bytes.js';

const mebibyte = 1024 * 1024;

interface PutCases {
  store: () => ObjectStore;
  open: () => Promise<ObjectStore>;
  key: (end: string) => string;
  severalParts: number;
}

/** The requirements on `put` in every store: the whole object, or nothing. */
export function putConformance({ store, open, key, severalParts }: PutCases): void {
  describe('put', () => {
    it('stores many bytes of unknown number in little memory', async () => {
      const total = 128 * mebibyte;
      const step = total / 8;
      const before = buffersInUse();
      let most = 0;
      function* watched() {
        for (let part = 0; part < total / step; part += 1) {
          yield* manyBytes(step);
          most = Math.max(most, buffersInUse() - before);
        }
      }
      const stored = await store().put(key('large'), Readable.from(watched()), { contentType: 'video/mp4' });
      expect(stored).toEqual({ size: total });
      const opened = await store().get(key('large'));
      const parts = Array.from({ length: total / step }, () => [...manyBytes(step)]);
      expect(await digest(opened?.bytes ?? [])).toBe(await digest(parts.flat()));
      expect(most).toBeLessThan(total / 2);
    });

    it.each([['few', 10 * 1024] as const, ['many', severalParts] as const])(
      'of a source that fails after %s bytes keeps the previous object',
      async (amount, bytes) => {
        const [fresh, old] = [key(`failed-${amount}`), key(`kept-${amount}`)];
        await put(store(), old, 'old');
        for (const target of [fresh, old]) {
          const failing = Readable.from(failingSource(manyBytes(bytes), 'fails'));
          const putting = store().put(target, failing, { contentType: 'text/plain' });
          await expect(putting).rejects.toThrow('the client went away');
        }
        expect(await store().stat(fresh)).toBeUndefined();
        expect(await read(store(), old)).toBe('old');
      },
    );

    it.each([['few', 10 * 1024] as const, ['many', severalParts] as const])(
      'that is aborted after %s bytes keeps the previous object',
      async (amount, bytes) => {
        const [fresh, old] = [key(`aborted-${amount}`), key(`saved-${amount}`)];
        await put(store(), old, 'old');
        for (const target of [fresh, old]) {
          const abort = new AbortController();
          function* chunks() {
            yield* manyBytes(bytes);
            setTimeout(() => abort.abort(new Error('enough')), 50);
          }
          const stalling = Readable.from(failingSource(chunks(), 'stalls'));
          const options = { contentType: 'text/plain', signal: abort.signal };
          await expect(store().put(target, stalling, options)).rejects.toThrow('enough');
        }
        expect(await store().stat(fresh)).toBeUndefined();
        expect(await read(store(), old)).toBe('old');
      },
    );

    it('of a source that fails while the store is still being opened stores nothing', async () => {
      const fresh = await open();
      const failing = Readable.from(failingSource([], 'fails'));
      const putting = fresh.put(key('early'), failing, { contentType: 'text/plain' });
      await expect(putting).rejects.toThrow('the client went away');
      expect(await fresh.stat(key('early'))).toBeUndefined();
      await fresh.close();
    });

    it('that was aborted before it began stores nothing', async () => {
      const signal = AbortSignal.abort(new Error('too late'));
      await expect(put(store(), key('late'), 'text', { signal })).rejects.toThrow('too late');
      expect(await store().stat(key('late'))).toBeUndefined();
    });

    it.each([['few', 100] as const, ['many', severalParts] as const])(
      'of %s bytes, more than are allowed, stores nothing and leaves the source open',
      async (amount, bytes) => {
        const tooMuch = Readable.from(manyBytes(bytes, 1024));
        const options = { contentType: 'text/plain', maxBytes: bytes - 1 };
        await expect(store().put(key(amount), tooMuch, options)).rejects.toThrow(ObjectTooLarge);
        expect(await store().stat(key(amount))).toBeUndefined();
        // The connection of a request with too large a body still carries the response.
        expect(tooMuch.destroyed && !tooMuch.readableEnded).toBe(false);
      },
    );

    it('stores exactly the allowed and announced number of bytes', async () => {
      expect(await put(store(), key('exact'), 'four', { maxBytes: 4, size: 4 })).toEqual({ size: 4 });
    });

    it.each([3, 5])('of four bytes announced with %i stores nothing', async (size) => {
      await expect(put(store(), key('announced'), 'four', { size })).rejects.toThrow(ObjectSizeMismatch);
      expect(await store().stat(key('announced'))).toBeUndefined();
    });

    it('to one key concurrently stores one whole object', async () => {
      const texts = Array.from({ length: 8 }, (_, number) => String(number).repeat(200_000 + number));
      await Promise.all(texts.map((text) => put(store(), key('contested'), text)));
      expect(texts).toContain(await read(store(), key('contested')));
      expect(await keysOf(store(), key('contested'))).toEqual([key('contested')]);
    });
  });
}
