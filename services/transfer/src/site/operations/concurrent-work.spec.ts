import { describe, expect, it } from '@jest/globals';
import { ConcurrentWork } from './concurrent-work.js';

/** Parts that end when the spec says so. */
function openParts(limit: number) {
  const work = new ConcurrentWork(limit);
  const begun: number[] = [];
  const ends = new Map<number, { resolve: () => void; reject: (error: Error) => void }>();
  const add = (part: number) =>
    work.add(() => {
      begun.push(part);
      return new Promise<void>((resolve, reject) => ends.set(part, { resolve, reject }));
    });
  return { work, begun, ends, add };
}

describe('ConcurrentWork', () => {
  it('begins parts in order, never more at a time than the limit', async () => {
    const { work, begun, ends, add } = openParts(2);
    await add(1);
    await add(2);
    const third = add(3);
    expect(begun).toEqual([1, 2]);
    ends.get(2)?.resolve();
    await third;
    expect(begun).toEqual([1, 2, 3]);
    for (const part of [1, 3]) ends.get(part)?.resolve();
    await work.settle();
  });

  it('fails with the first error once all parts have ended, and begins no further one', async () => {
    const { work, begun, ends, add } = openParts(2);
    await add(1);
    await add(2);
    const third = add(3);
    ends.get(2)?.reject(new Error('second'));
    await expect(third).rejects.toThrow('second');
    expect(begun).toEqual([1, 2]);
    let hasSettled = false;
    const settled = work.settle().finally(() => (hasSettled = true));
    await new Promise((resolve) => setImmediate(resolve));
    expect(hasSettled).toBe(false);
    ends.get(1)?.reject(new Error('first'));
    await expect(settled).rejects.toThrow('second');
  });
});
