import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { memoizeFor } from './memoize-for.js';

afterEach(() => void jest.restoreAllMocks());

describe('memoizeFor', () => {
  it('shares a result and a running call for the time, and no failure', async () => {
    let now = 1_000;
    jest.spyOn(Date, 'now').mockImplementation(() => now);
    let calls = 0;
    let fails = false;
    const read = memoizeFor(100, async () => {
      calls += 1;
      if (fails) throw new Error('unreachable');
      return calls;
    });
    expect(await Promise.all([read(), read()])).toEqual([1, 1]);
    now += 99;
    expect(await read()).toBe(1);
    now += 1;
    expect(await read()).toBe(2);
    now += 100;
    fails = true;
    await expect(read()).rejects.toThrow('unreachable');
    fails = false;
    expect(await read()).toBe(4);
  });

  it('shares a call that runs for longer than the time', async () => {
    let now = 1_000;
    jest.spyOn(Date, 'now').mockImplementation(() => now);
    let calls = 0;
    let end = (_: string) => undefined as void;
    const read = memoizeFor(100, () => {
      calls += 1;
      return new Promise<string>((resolve) => (end = resolve));
    });
    const first = read();
    now += 5_000;
    const second = read();
    end('done');
    expect([await first, await second, calls]).toEqual(['done', 'done', 1]);
    now += 99;
    expect([await read(), calls]).toEqual(['done', 1]);
  });
});
