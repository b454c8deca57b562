import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import type { Queryable } from '@quire/database';
import { eventually } from '@quire/testing';
import { PostponedWorkError } from './postponed-work-error.js';
import { WorkQueueRunner, type WorkQueueRunnerOptions } from './work-queue-runner.js';

const failure = 'nothing works now';
const failureMessage = 'one does not work now';

/** Databases that only have names. */
const named = (...names: string[]) => names as unknown as Queryable[];
const nameOf = (sql: Queryable) => sql as unknown as string;

/** Runs a runner over due work, by database, until each database is empty or has failed. @returns log lines */
async function linesOf(
  due: Record<string, number[]>,
  options: Pick<WorkQueueRunnerOptions<number>, 'process'> & {
    reschedule?: (sql: Queryable, number: number) => Promise<void>;
    postpone?: (sql: Queryable, number: number, afterSeconds: number) => Promise<void>;
    claims?: (name: string) => void;
  },
): Promise<object[]> {
  const lines: object[] = [];
  const left = new Map(Object.entries(due));
  const finished = new Set<string>();
  const claim = (sql: Queryable, limit: number) => {
    options.claims?.(nameOf(sql));
    const claimed = left.get(nameOf(sql))?.splice(0, limit) ?? [];
    if (claimed.length < limit) finished.add(nameOf(sql));
    return Promise.resolve(claimed);
  };
  const outages = () => lines.filter((line) => 'text' in line && line.text === failure).length;
  const { process, reschedule, postpone } = options;
  const runner = new WorkQueueRunner<number>({
    process,
    databases: named(...Object.keys(due)),
    table: {
      claim: async (sql, limit) => claim(sql, limit),
      ...(reschedule && { reschedule }),
      ...(postpone && { postpone }),
    },
    failureMessage,
    fieldsOf: (number) => ({ number }),
    failure,
    logger: { warn: (fields: object, text: string) => void lines.push({ ...fields, text }) },
  });
  runner.start();
  while (finished.size + outages() < left.size) await wait(1);
  await runner.stop();
  return lines;
}

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

describe('WorkQueueRunner with postponed work', () => {
  it('makes it due later, without a line in the log, and processes the rest', async () => {
    const postponed: [number, number][] = [];
    const processed: number[] = [];
    const lines = await linesOf(
      { one: [1, 2, 3] },
      {
        process: async (_, number) => {
          if (number === 2) throw new PostponedWorkError('not now', 30);
          processed.push(number);
        },
        postpone: async (_, number, afterSeconds) => void postponed.push([number, afterSeconds]),
      },
    );
    expect([postponed, processed, lines]).toEqual([[[2, 30]], [1, 3], []]);
  });
});

describe('WorkQueueRunner', () => {
  it('processes all due work of every database in batches, starting at once', async () => {
    const taken: string[] = [];
    const take = (sql: Queryable) => Promise.resolve(void taken.push(nameOf(sql)));
    const lines = await linesOf({ one: numbers(120), two: numbers(3) }, { process: take });
    expect(taken).toHaveLength(123);
    expect(taken.filter((name) => name === 'two')).toHaveLength(3);
    expect(lines).toEqual([]);
  });

  it('logs and reschedules a failed item and continues with the others', async () => {
    const [taken, later]: number[][] = [[], []];
    const error = new Error('always');
    const lines = await linesOf(
      { one: numbers(120) },
      {
        process: (_, number) =>
          number % 60 === 0 ? Promise.reject(error) : Promise.resolve(void taken?.push(number)),
        reschedule: (_, number) => Promise.resolve(void later?.push(number)),
      },
    );
    expect(taken).toEqual(numbers(120).filter((number) => number % 60 !== 0));
    expect(later).toEqual([0, 60]);
    expect(lines).toEqual([0, 60].map((number) => ({ number, err: error, text: failureMessage })));
  });

  it('counts each processed row of a long run as progress', async () => {
    let finish = () => undefined as void;
    const finished = new Promise<void>((resolve) => (finish = resolve));
    const runner = new WorkQueueRunner<number>({
      databases: named('one'),
      table: { claim: (_, limit) => Promise.resolve(numbers(limit)) },
      process: (_, number) => (number === 1 ? finished : wait(2)),
      failureMessage,
      fieldsOf: (number) => ({ number }),
      failure,
      logger: { warn: () => undefined },
    });
    const [task] = runner.tasks;
    const startedAt = task?.lastSuccessAt.getTime() ?? Infinity;
    runner.start();
    const progress = await eventually(
      () => Promise.resolve((task?.lastSuccessAt.getTime() ?? 0) - startedAt),
      (ms) => ms > 0,
      2_000,
    );
    finish();
    await runner.stop();
    expect(progress).toBeGreaterThan(0);
  });

  it('continues with the other databases when one fails', async () => {
    const taken: number[] = [];
    const error = new Error('down');
    const lines = await linesOf(
      { down: [1], up: [2, 3] },
      {
        process: (_, number) => Promise.resolve(void taken.push(number)),
        claims: (name) => {
          if (name === 'down') throw error;
        },
      },
    );
    expect(taken).toEqual([2, 3]);
    expect(lines).toEqual([{ err: error, text: failure }]);
  });

  it('ends the round of a database in which rescheduling fails', async () => {
    const tried: number[] = [];
    const down = () => Promise.reject(new Error('down'));
    const process = (_: Queryable, number: number) => (tried.push(number), down());
    const lines = await linesOf({ down: numbers(120), up: [] }, { process, reschedule: down });
    expect(tried).toEqual([0]);
    expect(lines).toMatchObject([{ number: 0, text: failureMessage }, { text: failure }]);
  });

  it('processes the work of other sites before a full batch of one site', async () => {
    const due = { a: numbers(120).map((number) => `a${number}`), b: ['b0', 'b1'], c: ['c0'] };
    const processed: string[] = [];
    const asked: string[][] = [];
    const runner = new WorkQueueRunner<string>({
      databases: named('one'),
      table: {
        claim: (_, limit) => Promise.resolve(due.a.splice(0, limit)),
        claimOfOtherTenants(_, limit, tenantIds) {
          expect(limit).toBe(200);
          asked.push([...tenantIds]);
          return Promise.resolve([...due.b.splice(0, 1), ...due.c.splice(0, 1)]);
        },
      },
      tenantOf: (work) => work.slice(0, 1),
      process: (_, work) => Promise.resolve(void processed.push(work)),
      failureMessage,
      fieldsOf: () => ({}),
      failure,
      logger: { warn: () => undefined },
    });
    runner.start();
    while (processed.length < 123) await wait(1);
    await runner.stop();
    expect(asked).toEqual([['a'], ['a']]);
    expect([processed.indexOf('b0'), processed.indexOf('c0'), processed.indexOf('b1')]).toEqual([0, 1, 52]);
  });

  describe('with a concurrency', () => {
    /** Runs a runner with two turns over work whose end the test decides. */
    function runnerOf(works: string[], process: (work: string) => Promise<void>) {
      const runner = new WorkQueueRunner<string>({
        databases: named('one'),
        table: { claim: (_, limit) => Promise.resolve(works.splice(0, limit)) },
        concurrency: 2,
        serialKeyOf: (work) => work.slice(0, 1),
        process: (_, work) => process(work),
        failureMessage,
        fieldsOf: () => ({}),
        failure,
        logger: { warn: () => undefined },
      });
      runner.start();
      return runner;
    }

    it('processes work of different keys at a time, and that of a key in order', async () => {
      const started: string[] = [];
      const ends = new Map<string, () => void>();
      const runner = runnerOf(['a1', 'a2', 'b1', 'c1'], (work) => {
        started.push(work);
        return new Promise((resolve) => ends.set(work, resolve));
      });
      const end = async (work: string, count: number) => {
        ends.get(work)?.();
        while (started.length < count) await wait(1);
      };
      await end('', 2);
      expect(started).toEqual(['a1', 'b1']);
      await end('b1', 3);
      expect(started).toEqual(['a1', 'b1', 'c1']);
      await end('a1', 4);
      expect(started.at(-1)).toBe('a2');
      for (const finish of ends.values()) finish();
      await runner.stop();
    });

    it('waits for all running work when it stops', async () => {
      const ends: (() => void)[] = [];
      const runner = runnerOf(['a1', 'b1'], () => new Promise((resolve) => ends.push(resolve)));
      while (ends.length < 2) await wait(1);
      let isStopped = false;
      const stopped = runner.stop().then(() => (isStopped = true));
      ends[0]?.();
      await wait(1);
      expect(isStopped).toBe(false);
      ends[1]?.();
      await stopped;
    });
  });
});
