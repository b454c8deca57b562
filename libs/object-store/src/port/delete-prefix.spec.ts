import { expect, it } from '@jest/globals';
import { deletePrefix } from './delete-prefix.js';

/** A store with objects of two prefixes, and the sizes of the calls that delete. */
function storeOf(count: number) {
  const keys = new Set(Array.from({ length: count }, (_, number) => `site/n${number}`)).add('other/kept');
  const calls: number[] = [];
  return {
    keys,
    calls,
    async *list(prefix: string) {
      for (const key of [...keys].filter((each) => each.startsWith(prefix)))
        yield { key, size: 1, modifiedAt: new Date() };
    },
    deleteMany: (deleted: readonly string[]) => {
      calls.push(deleted.length);
      for (const key of deleted) keys.delete(key);
      return Promise.resolve();
    },
  };
}

it.each([
  [5_000, [1_000, 1_000, 1_000, 1_000, 1_000]],
  [1_001, [1_000, 1]],
  [3, [3]],
  [0, []],
])('deletePrefix deletes %i objects in calls of at most 1,000', async (count, calls) => {
  const store = storeOf(count);
  await deletePrefix(store, 'site/');
  expect(store.calls).toEqual(calls);
  expect([...store.keys]).toEqual(['other/kept']);
});

it('deletePrefix fails with the store', async () => {
  const store = { ...storeOf(2), deleteMany: () => Promise.reject(new Error('down')) };
  await expect(deletePrefix(store, 'site/')).rejects.toThrow('down');
});
