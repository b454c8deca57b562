import { describe, expect, it } from '@jest/globals';
import type { RateLimit, RateLimiter } from '@quire/rate-limit';
import { CallLimiter, type CallLimits } from './call-limiter.js';

/** A store of counts that two processes share. */
class SharedStore implements Pick<RateLimiter, 'consume'> {
  readonly used = new Map<string, number>();
  statements = 0;

  async consume({ name, limit }: RateLimit, key: string) {
    this.statements += 1;
    await Promise.resolve();
    const id = `${name}:${limit}:${key}`;
    const used = (this.used.get(id) ?? 0) + 1;
    this.used.set(id, used);
    return { allowed: used <= limit, retryAfterSeconds: 42 };
  }
}

const limits: CallLimits = { callsPerToken: 600, callsPerSite: 100_000 };

/** How many of a number of single calls pass, one after the other. */
async function passed(limiter: CallLimiter, calls: number, token = 't'): Promise<number> {
  let allowed = 0;
  for (let call = 0; call < calls; call += 1)
    if ((await limiter.consume('site', token, 1)) === undefined) allowed += 1;
  return allowed;
}

describe('CallLimiter (contract 17, rate limit)', () => {
  it.each([1, 2, 29, 30, 31, 59, 60, 100, 601, 600])('lets exactly %i calls of a token pass', async (max) => {
    const limiter = new CallLimiter(new SharedStore(), { ...limits, callsPerToken: max });
    expect(await passed(limiter, max + 25)).toBe(max);
  });

  it('needs few statements of the store', async () => {
    const store = new SharedStore();
    await passed(new CallLimiter(store, limits), 600);
    expect(store.statements).toBeLessThan(40);
  });

  it('says when to retry', async () => {
    const limiter = new CallLimiter(new SharedStore(), { ...limits, callsPerToken: 1 });
    expect(await limiter.consume('site', 't', 1)).toBeUndefined();
    expect(await limiter.consume('site', 't', 1)).toBe(42);
  });

  it('shares a limit over two processes', async () => {
    const store = new SharedStore();
    const [one, two] = [new CallLimiter(store, limits), new CallLimiter(store, limits)];
    expect((await passed(one, 310)) + (await passed(two, 600))).toBeLessThanOrEqual(600);
    expect(await passed(two, 1)).toBe(0);
    // A process keeps the rest of its last block.
    expect(await passed(one, 20)).toBe(10);
    expect(await passed(one, 1)).toBe(0);
  });

  it('counts each entry of a batch', async () => {
    const limiter = new CallLimiter(new SharedStore(), { ...limits, callsPerToken: 150 });
    expect(await limiter.consume('site', 't', 100)).toBeUndefined();
    expect(await limiter.consume('site', 't', 100)).toBe(42);
    expect(await passed(limiter, 100)).toBe(50);
  });

  it('lets parallel calls share a block', async () => {
    const limiter = new CallLimiter(new SharedStore(), limits);
    const calls = Array.from({ length: 700 }, () => limiter.consume('site', 't', 1));
    const allowed = (await Promise.all(calls)).filter((refused) => refused === undefined);
    expect(allowed).toHaveLength(600);
  });

  it('counts tokens separately, and all tokens of a site together', async () => {
    const limiter = new CallLimiter(new SharedStore(), { callsPerToken: 60, callsPerSite: 90 });
    expect(await passed(limiter, 70, 'a')).toBe(60);
    expect(await passed(limiter, 70, 'b')).toBe(30);
    expect(await limiter.consume('other-site', 'a', 1)).toBeUndefined();
  });

  it('fails like the store', async () => {
    const consume = () => Promise.reject(new Error('down'));
    const limiter = new CallLimiter({ consume }, limits);
    await expect(limiter.consume('site', 't', 1)).rejects.toThrow('down');
    await expect(limiter.consume('site', 't', 1)).rejects.toThrow('down');
  });
});
