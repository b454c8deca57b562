import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ObjectStore, StoredObject } from '../port/object-store.js';
import { BadObjectKey, ObjectNotFound } from '../port/object-store-errors.js';
import { digest, keysOf, manyBytes, put, putAll, read, source } from './bytes.js';
import { putConformance } from './put.conformance.js';

/**
 * The requirements on every store of the object store port.
 * @param severalParts a size that the store uploads in more than one part
 */
export function objectStoreConformance(
  name: string,
  { open, severalParts }: { open: () => Promise<ObjectStore>; severalParts: number },
): void {
  // Disks and stores of a busy machine may be slow.

  describe(`the object store ${name}`, () => {
    const tenant = `t-${randomUUID()}`;
    const key = (end: string) => `${tenant}/${end}`;
    let store: ObjectStore;
    beforeAll(async () => {
      store = await open();
    });
    afterAll(() => store.close());

    describe('put and get', () => {
      it('return the stored bytes, size and time', async () => {
        const before = Date.now();
        expect(await put(store, key('first.txt'), 'some text')).toEqual({ size: 9 });
        const opened = await store.get(key('first.txt'));
        expect(opened?.size).toBe(9);
        opened?.bytes.destroy();
        expect(await read(store, key('first.txt'))).toBe('some text');
        const found = await store.stat(key('first.txt'));
        expect(found).toEqual({ key: key('first.txt'), size: 9, modifiedAt: opened?.modifiedAt });
        // S3 returns whole seconds, by the clock of the store.
        expect(Math.abs(Number(found?.modifiedAt) - before)).toBeLessThan(60_000);
      });

      it('accept an object without bytes', async () => {
        expect(await put(store, key('empty'), '')).toEqual({ size: 0 });
        expect(await read(store, key('empty'))).toBe('');
        expect((await store.stat(key('empty')))?.size).toBe(0);
        await expect(store.get(key('empty'), { start: 0, end: 0 })).rejects.toThrow(RangeError);
      });

      it('replace an object by a larger or a smaller one', async () => {
        await put(store, key('replaced'), 'the first and longer one');
        await put(store, key('replaced'), 'second');
        expect(await read(store, key('replaced'))).toBe('second');
        await put(store, key('replaced'), 'the third, which is the longest of them');
        expect(await read(store, key('replaced'))).toBe('the third, which is the longest of them');
      });

      it('return undefined for a missing object', async () => {
        expect(await store.get(key('missing'))).toBeUndefined();
        expect(await store.stat(key('missing'))).toBeUndefined();
      });

      it('read an opened object to its end after it is replaced', async () => {
        await put(store, key('open'), 'old');
        const opened = await store.get(key('open'));
        await put(store, key('open'), 'new');
        expect((await opened?.bytes.toArray())?.join('')).toBe('old');
      });

      it('return undefined after a deletion, which can be repeated', async () => {
        await put(store, key('deleted'), 'text');
        await store.delete(key('deleted'));
        await store.delete(key('deleted'));
        expect(await store.stat(key('deleted'))).toBeUndefined();
        expect(await keysOf(store, key('deleted'))).toEqual([]);
      });
    });

    describe('deleteMany', () => {
      it('deletes more objects than one request takes, and no others', async () => {
        const other = `${tenant}-many`;
        const keys = Array.from({ length: 1_100 }, (_, number) => `${other}/n${number}`);
        await putAll(store, [...keys, `${other}/kept`, `${other}-kept/n1`]);
        await store.deleteMany([...keys, `${other}/missing`]);
        expect(await keysOf(store, `${other}/`)).toEqual([`${other}/kept`]);
        expect(await keysOf(store, `${other}-kept/`)).toEqual([`${other}-kept/n1`]);
        await store.deleteMany(keys);
      });

      it('accepts no keys', async () => {
        await store.deleteMany([]);
      });

      it('deletes nothing if one key is invalid', async () => {
        await put(store, key('spared'), 'text');
        await expect(store.deleteMany([key('spared'), '../name'])).rejects.toThrow(BadObjectKey);
        expect(await keysOf(store, key('spared'))).toEqual([key('spared')]);
      });
    });

    describe('get with a range', () => {
      const text = '0123456789';
      beforeAll(() => put(store, key('digits'), text));

      it.each([
        [0, 0],
        [0, 9],
        [3, 5],
        [9, 9],
      ])('from %i to %i includes both ends', async (start, end) => {
        const opened = await store.get(key('digits'), { start, end });
        expect(opened?.size).toBe(10);
        expect((await opened?.bytes.toArray())?.join('')).toBe(text.slice(start, end + 1));
      });

      it.each([
        [0, 10],
        [10, 10],
        [5, 4],
        [-1, 3],
        [0.5, 3],
      ])('from %d to %d throws RangeError', async (start, end) => {
        await expect(store.get(key('digits'), { start, end })).rejects.toThrow(RangeError);
      });

      it('of a missing object is undefined', async () => {
        expect(await store.get(key('missing'), { start: 0, end: 1 })).toBeUndefined();
      });
    });

    describe('key', () => {
      const longest = 'x'.repeat(240 - tenant.length - 1);
      it.each(['a', 'a.b', 'UPPER.JPG', '_-_', 'a..b', 'parts/of/a-name', '0', longest])(
        'may end in %s',
        async (end) => {
          await put(store, key(end), `at ${end}`);
          expect(await read(store, key(end))).toBe(`at ${end}`);
          expect(await keysOf(store, key(end))).toContain(key(end));
        },
      );

      it('is case-sensitive, and distinguishes parts', async () => {
        const ends = ['case', 'Case', 'case/x', 'case-x'];
        for (const end of ends) await put(store, key(end), end);
        for (const end of ends) expect(await read(store, key(end))).toBe(end);
      });

      it.each([
        '',
        'name',
        '/name',
        'tenant/',
        'tenant//name',
        '../name',
        'tenant/..',
        'tenant/../other/name',
        'tenant/a/../../other',
        'tenant/.hidden',
        '.unfinished/name',
        'tenant/a\\b',
        'tenant\\..\\name',
        'tenant/a\0b',
        'tenant/a\nb',
        'tenant/a b',
        'tenant/a+b',
        'tenant/%2e%2e',
        'tenant/a@b',
        'tenant/ä',
        'C:/name',
        `tenant/${'x'.repeat(240)}`,
      ])('is rejected: %j', async (bad) => {
        await expect(put(store, bad, 'text')).rejects.toThrow(BadObjectKey);
        await expect(store.get(bad)).rejects.toThrow(BadObjectKey);
        await expect(store.stat(bad)).rejects.toThrow(BadObjectKey);
        await expect(store.delete(bad)).rejects.toThrow(BadObjectKey);
        await expect(store.copy(bad, key('copied'))).rejects.toThrow(BadObjectKey);
        await expect(store.copy(key('first.txt'), bad)).rejects.toThrow(BadObjectKey);
        const constraints = { contentType: 'text/plain', size: 1, expiresSeconds: 60 };
        await expect(store.signUpload(bad, constraints)).rejects.toThrow(BadObjectKey);
      });
    });

    putConformance({ store: () => store, open, key, severalParts });

    describe('list', () => {
      it('returns 1500 objects in the order of their keys, and only those of the prefix', async () => {
        const other = `${tenant}-list`;
        const keys = Array.from({ length: 1500 }, (_, number) => `${other}/n${number}`);
        await putAll(store, keys);
        expect(await keysOf(store, `${other}/`)).toEqual([...keys].sort());
        const some = keys.filter((each) => each.startsWith(`${other}/n14`));
        expect(await keysOf(store, `${other}/n14`)).toEqual(some.sort());
      });

      it('returns for each object the same as stat', async () => {
        await put(store, key('listed'), 'text');
        const listed: StoredObject[] = [];
        for await (const each of store.list(key('listed'))) listed.push(each);
        expect(listed.map(({ size }) => size)).toEqual([4]);
        const found = await store.stat(key('listed'));
        // A list may be more exact than the seconds of stat.
        expect(Math.abs(Number(listed[0]?.modifiedAt) - Number(found?.modifiedAt))).toBeLessThan(1_000);
      });

      it('returns nothing for a tenant without objects', async () => {
        expect(await keysOf(store, `${tenant}-nobody/`)).toEqual([]);
      });

      it.each(['', 'tenant', '/', '../', 'tenant/../', 'tenant/.', '.unfinished/'])(
        'rejects %j, which names no tenant',
        async (prefix) => {
          await expect(keysOf(store, prefix)).rejects.toThrow(BadObjectKey);
        },
      );
    });

    describe('copy', () => {
      it('copies the bytes of its source, and replaces the target', async () => {
        await put(store, key('from'), 'to be copied');
        await put(store, key('to'), 'old');
        await store.copy(key('from'), key('to'));
        await store.copy(key('from'), key('to'));
        await put(store, key('from'), 'changed');
        expect(await read(store, key('to'))).toBe('to be copied');
        expect(await read(store, key('from'))).toBe('changed');
      });

      it('copies a large object completely', async () => {
        const bytes = Readable.from(manyBytes(severalParts));
        await store.put(key('many-from'), bytes, { contentType: 'video/mp4' });
        await store.copy(key('many-from'), key('many-to'));
        const opened = await store.get(key('many-to'));
        expect(await digest(opened?.bytes ?? [])).toBe(await digest(manyBytes(severalParts)));
      });

      it('throws without a source, and creates nothing', async () => {
        await expect(store.copy(key('missing'), key('made'))).rejects.toThrow(ObjectNotFound);
        expect(await store.stat(key('made'))).toBeUndefined();
      });
    });

    it('responds to ping', async () => {
      await store.ping();
    });

    it('closes a store that was never used', async () => {
      const untouched = source('text');
      await expect(store.put('bad', untouched, { contentType: 'text/plain' })).rejects.toThrow(BadObjectKey);
      expect((await untouched.toArray()).join('')).toBe('text');
    });
  });
}
