import { describe, expect, it } from '@jest/globals';
import { collectPages, runForEach } from './bulk-queue.js';

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe('runForEach', () => {
  it('runs at most four at once, and all of them', async () => {
    let running = 0;
    let max = 0;
    const results = await runForEach([...Array(10).keys()], async () => {
      max = Math.max(max, (running += 1));
      await wait(1);
      running -= 1;
    });
    expect(max).toBe(4);
    expect(results.map(({ item }) => item).sort()).toEqual([...Array(10).keys()]);
  });

  it('goes on after an error, and reports it', async () => {
    const seen: number[] = [];
    const results = await runForEach(
      [1, 2, 3],
      (item) => {
        if (item === 2) throw new Error('no');
        return Promise.resolve();
      },
      { onResult: (count) => seen.push(count) },
    );
    expect(results.filter(({ error }) => error !== undefined)).toEqual([{ item: 2, error: new Error('no') }]);
    expect(seen).toEqual([1, 2, 3]);
  });

  it('begins none after the signal, and finishes those that run', async () => {
    const abort = new AbortController();
    const results = await runForEach(
      [...Array(20).keys()],
      async (item) => {
        if (item === 1) abort.abort();
        await wait(1);
      },
      { signal: abort.signal },
    );
    expect(results.length).toBeLessThanOrEqual(5);
    expect(results.length).toBeGreaterThanOrEqual(2);
  });
});

describe('collectPages', () => {
  const pages = [
    { items: [{ id: 'a' }, { id: 'b' }], nextCursor: '1' },
    { items: [{ id: 'b' }, { id: 'c' }], nextCursor: '2' },
    { items: [{ id: 'd' }] },
  ];
  const read = (cursor = '0') => Promise.resolve(pages[Number(cursor)] ?? { items: [] });

  it('returns each item once', async () => {
    const counts: number[] = [];
    const items = await collectPages(read, { maxPages: 10, onProgress: (count) => counts.push(count) });
    expect(items.map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd']);
    expect(counts).toEqual([2, 3, 4]);
  });

  it('ends at the last page that it may read', async () => {
    expect(await collectPages(read, { maxPages: 1 })).toHaveLength(2);
  });
});
