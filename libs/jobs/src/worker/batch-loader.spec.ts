import { describe, expect, it } from '@jest/globals';
import { BatchLoader } from './batch-loader.js';

/** Batches whose processing the test ends. */
function openBatches() {
  const batches = new BatchLoader<string>();
  const taken: { ids: string[]; end: (result: string) => void; fail: (error: Error) => void }[] = [];
  const add = (group: string, id: string) =>
    batches.add(group, id, (ids) => new Promise((end, fail) => taken.push({ ids, end, fail })));
  const turn = () => new Promise((done) => setImmediate(done));
  return { add, taken, turn };
}

describe('BatchLoader', () => {
  it('collects the ids that arrive during a batch, each once', async () => {
    const { add, taken, turn } = openBatches();
    const first = add('posts', 'a');
    await turn();
    const later = [add('posts', 'b'), add('posts', 'c'), add('posts', 'b')];
    await turn();
    expect(taken.map(({ ids }) => ids)).toEqual([['a']]);
    taken[0]?.end('one');
    expect(await first).toBe('one');
    await turn();
    taken[1]?.end('two');
    expect([await Promise.all(later), taken.map(({ ids }) => ids)]).toEqual([
      ['two', 'two', 'two'],
      [['a'], ['b', 'c']],
    ]);
  });

  it('processes different groups concurrently', async () => {
    const { add, taken, turn } = openBatches();
    void add('posts', 'a');
    void add('pages', 'a');
    await turn();
    expect(taken).toHaveLength(2);
  });

  it('rejects only the ids of a failed batch, and continues', async () => {
    const { add, taken, turn } = openBatches();
    const failing = add('posts', 'a');
    await turn();
    const next = add('posts', 'b');
    taken[0]?.fail(new Error('down'));
    await expect(failing).rejects.toThrow('down');
    await turn();
    taken[1]?.end('up');
    expect(await next).toBe('up');
  });
});
