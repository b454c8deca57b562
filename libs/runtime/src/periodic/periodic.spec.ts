import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import type { Sql } from '@quire/database';
import { Periodic } from './periodic.js';
import { Sweep } from './sweep.js';

const failure = 'it does not work now';

function logged() {
  const warnings: string[] = [];
  return { warnings, logger: { warn: (_: object, text: string) => void warnings.push(text) } };
}

/** Waits for something to become so. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await wait(1);
}

describe('periodic work', () => {
  it('is done again and again, and not after its end', async () => {
    let times = 0;
    const periodic = new Periodic({
      work: () => Promise.resolve(void (times += 1)),
      everyMs: 1,
      failure,
      ...logged(),
    });
    periodic.start();
    await until(() => times > 3);
    await periodic.stop();
    const last = times;
    periodic.start();
    await wait(20);
    expect(times).toBe(last);
  });

  it('goes on after a failure, with one line an outage', async () => {
    const { warnings, logger } = logged();
    let times = 0;
    const isDown = () => times < 4 || (times > 6 && times < 9);
    const work = () => {
      times += 1;
      return isDown() ? Promise.reject(new Error('down')) : Promise.resolve();
    };
    const periodic = new Periodic({ work, everyMs: 1, failure, logger });
    periodic.start(0);
    await until(() => times > 10);
    await periodic.stop();
    expect(warnings).toEqual([failure, failure]);
  });

  it('ends after what is under way, which learns of it', async () => {
    let wasStopping = false;
    let isDone = false;
    const work = async (isStopping: () => boolean) => {
      while (!isStopping()) await wait(1);
      wasStopping = true;
      await wait(5);
      isDone = true;
    };
    const periodic = new Periodic({ work, everyMs: 1, failure, ...logged() });
    periodic.start(0);
    await wait(5);
    await periodic.stop();
    expect([wasStopping, isDone]).toEqual([true, true]);
  });
});

describe('a sweep', () => {
  it('takes all that is due in every database, batch by batch, right at the start', async () => {
    const due = new Map([
      ['one', 120],
      ['two', 3],
    ]);
    const taken: string[] = [];
    const databases = [...due.keys()] as unknown as Sql[];
    const claim = (sql: Sql, limit: number) => {
      const name = sql as unknown as string;
      const left = due.get(name) ?? 0;
      due.set(name, Math.max(0, left - limit));
      return Promise.resolve(Array.from({ length: Math.min(left, limit) }, (_, index) => index));
    };
    const take = (sql: Sql) => Promise.resolve(void taken.push(sql as unknown as string));
    const sweep = new Sweep<number>({ databases, claim, take, failure, ...logged() });
    sweep.start();
    await until(() => taken.length === 123);
    await sweep.stop();
    expect(taken.filter((name) => name === 'two')).toHaveLength(3);
  });
});
