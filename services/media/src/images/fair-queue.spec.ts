import { describe, expect, it } from '@jest/globals';
import { FairQueue } from './fair-queue.js';

/** Tasks that run until the test ends them, with the order of their starts. */
function controlledWork() {
  const began: string[] = [];
  const ends = new Map<string, () => void>();
  const work = (name: string) => () => {
    began.push(name);
    return new Promise<void>((end) => ends.set(name, end));
  };
  /** Ends a task, if any, and waits until the next ones have started. */
  const end = async (name?: string) => {
    if (name !== undefined) ends.get(name)?.();
    await new Promise((done) => setImmediate(done));
  };
  return { began, work, end };
}

describe('FairQueue', () => {
  it('runs at most maxRunning tasks at once and completes all, also when some fail', async () => {
    const turns = new FairQueue({ maxRunning: 2, maxRunningPerTenant: 2 });
    let running = 0;
    let most = 0;
    const work = async (index: number) => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((done) => setImmediate(done));
      running -= 1;
      if (index % 3 === 0) throw new Error('one of those that fail');
      return index;
    };
    const results = await Promise.allSettled(
      Array.from({ length: 9 }, (_, index) => turns.run(`tenant ${index % 4}`, () => work(index))),
    );
    expect(most).toBe(2);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(6);
  });

  it('does not let one tenant starve others', async () => {
    const turns = new FairQueue({ maxRunning: 2, maxRunningPerTenant: 1 });
    const { began, work, end } = controlledWork();
    for (const name of ['a1', 'a2', 'a3']) void turns.run('a', work(name));
    void turns.run('b', work('b1'));
    await end();
    expect(began).toEqual(['a1', 'b1']);
    await end('b1');
    expect(began).toEqual(['a1', 'b1']);
    await end('a1');
    expect(began).toEqual(['a1', 'b1', 'a2']);
  });

  it('schedules waiting tenants round-robin', async () => {
    const turns = new FairQueue({ maxRunning: 1, maxRunningPerTenant: 1 });
    const { began, work, end } = controlledWork();
    for (const name of ['a1', 'a2', 'a3']) void turns.run('a', work(name));
    for (const name of ['b1', 'b2']) void turns.run('b', work(name));
    void turns.run('c', work('c1'));
    await end();
    for (const name of ['a1', 'a2', 'b1', 'c1', 'a3', 'b2']) await end(name);
    expect(began).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2']);
  });

  it('has no capacity for a tenant with many waiting tasks, but for others', () => {
    const limits = { maxRunning: 1, maxRunningPerTenant: 1, maxWaitingPerTenant: 2, maxWaiting: 3 };
    const turns = new FairQueue(limits);
    const { work } = controlledWork();
    for (const name of ['a1', 'a2', 'a3']) void turns.run('a', work(name));
    expect(['a', 'b'].map((tenantId) => turns.hasCapacity(tenantId))).toEqual([false, true]);
    void turns.run('b', work('b1'));
    expect(turns.hasCapacity('c')).toBe(false);
  });
});
