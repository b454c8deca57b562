import { describe, expect, it } from '@jest/globals';
import { CallBatches } from './call-batches.js';

/** Batches whose calls wait until they are released. */
function openBatches({ maxItems = 10, maxCalls = 1 } = {}) {
  const calls: { items: readonly string[]; release: (error?: Error) => void }[] = [];
  let called = (): void => undefined;
  const batches = new CallBatches<string, string>({
    maxItems,
    maxCalls,
    call: (items) =>
      new Promise((resolve, reject) => {
        const release = (error?: Error) =>
          error ? reject(error) : resolve(items.map((item) => item.toUpperCase()));
        calls.push({ items, release });
        called();
      }),
  });
  /** Waits for a number of calls. @returns the call with that number, from 1 */
  const callOf = async (count: number) => {
    while (calls.length < count) await new Promise<void>((resolve) => (called = resolve));
    const call = calls[count - 1];
    if (!call) throw new Error('No call');
    return call;
  };
  return { batches, calls, callOf };
}

describe('CallBatches', () => {
  it('calls for items that are added together, and returns the result of each', async () => {
    const { batches, callOf } = openBatches();
    const results = Promise.all(['a', 'b', 'c'].map((item) => batches.add('key', item)));
    const call = await callOf(1);
    expect(call.items).toEqual(['a', 'b', 'c']);
    call.release();
    expect(await results).toEqual(['A', 'B', 'C']);
  });

  it('collects items while a call runs, up to the maximum of a call', async () => {
    const { batches, calls, callOf } = openBatches({ maxItems: 2 });
    const first = batches.add('key', 'a');
    await callOf(1);
    const others = Promise.all(['b', 'c', 'd'].map((item) => batches.add('key', item)));
    calls[0]?.release();
    await first;
    (await callOf(2)).release();
    (await callOf(3)).release();
    expect(await others).toEqual(['B', 'C', 'D']);
    expect(calls.map(({ items }) => items)).toEqual([['a'], ['b', 'c'], ['d']]);
  });

  it('does not let a key wait for another one', async () => {
    const { batches, callOf } = openBatches();
    void batches.add('slow', 'a');
    await callOf(1);
    const other = batches.add('other', 'b');
    (await callOf(2)).release();
    expect(await other).toBe('B');
  });

  it('makes further calls of a key up to its maximum', async () => {
    const { batches, calls, callOf } = openBatches({ maxCalls: 2 });
    const added = [batches.add('key', 'a')];
    await callOf(1);
    added.push(batches.add('key', 'b'));
    await callOf(2);
    added.push(batches.add('key', 'c'));
    await new Promise(setImmediate);
    expect(calls.map(({ items }) => items)).toEqual([['a'], ['b']]);
    calls[1]?.release();
    (await callOf(3)).release();
    calls[0]?.release();
    expect(await Promise.all(added)).toEqual(['A', 'B', 'C']);
  });

  it('fails the items of a failed call, and no others', async () => {
    const { batches, callOf } = openBatches();
    const failed = Promise.allSettled(['a', 'b'].map((item) => batches.add('key', item)));
    (await callOf(1)).release(new Error('lost'));
    expect((await failed).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    const next = batches.add('key', 'c');
    (await callOf(2)).release();
    expect(await next).toBe('C');
  });
});
