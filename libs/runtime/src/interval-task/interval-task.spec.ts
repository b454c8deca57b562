import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { IntervalTask } from './interval-task.js';

const failure = 'it does not work now';

function logged() {
  const warnings: string[] = [];
  return { warnings, logger: { warn: (_: object, text: string) => void warnings.push(text) } };
}

/** Waits until a condition is met. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await wait(1);
}

describe('IntervalTask', () => {
  it('runs repeatedly until it is stopped', async () => {
    let times = 0;
    const periodic = new IntervalTask({
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

  it('keeps running after a failure and logs one line per outage', async () => {
    const { warnings, logger } = logged();
    let times = 0;
    const isDown = () => times < 4 || (times > 6 && times < 9);
    const work = () => {
      times += 1;
      return isDown() ? Promise.reject(new Error('down')) : Promise.resolve();
    };
    const periodic = new IntervalTask({ work, everyMs: 1, failure, logger });
    periodic.start(0);
    await until(() => times > 10);
    await periodic.stop();
    expect(warnings).toEqual([failure, failure]);
  });

  it('knows its last success, and reports the duration of each run', async () => {
    let isDown = true;
    const runs: number[] = [];
    const work = async () => {
      await wait(2);
      if (isDown) throw new Error('down');
    };
    const task = new IntervalTask({ work, everyMs: 60_000, failure, ...logged() });
    task.onRun((seconds) => runs.push(seconds));
    const { lastSuccessAt: createdAt } = task;
    await task.runOnce();
    expect([task.lastSuccessAt, runs.length]).toEqual([createdAt, 1]);
    isDown = false;
    await task.runOnce();
    expect(task.lastSuccessAt.getTime()).toBeGreaterThan(createdAt.getTime());
    expect(runs).toEqual([expect.closeTo(0, 0), expect.closeTo(0, 0)]);
    for (const seconds of runs) expect(seconds).toBeGreaterThan(0);
  });

  it('waits for the running work, which sees `isStopping`', async () => {
    let wasStopping = false;
    let isDone = false;
    const work = async (isStopping: () => boolean) => {
      while (!isStopping()) await wait(1);
      wasStopping = true;
      await wait(5);
      isDone = true;
    };
    const periodic = new IntervalTask({ work, everyMs: 1, failure, ...logged() });
    periodic.start(0);
    await wait(5);
    await periodic.stop();
    expect([wasStopping, isDone]).toEqual([true, true]);
  });

  it('pauses until it is woken', async () => {
    let times = 0;
    const task: IntervalTask = new IntervalTask({
      work: () => Promise.resolve(void ((times += 1), task.pause())),
      everyMs: 1,
      failure,
      ...logged(),
    });
    task.start(0);
    await until(() => times === 1);
    await wait(20);
    expect(times).toBe(1);
    task.wake();
    await until(() => times === 2);
    await task.stop();
  });

  it('runs again after a run during which it was woken, even if that run pauses it', async () => {
    let times = 0;
    const task: IntervalTask = new IntervalTask({
      work: async () => {
        times += 1;
        if (times === 1) task.wake();
        await wait(1);
        task.pause();
      },
      everyMs: 60_000,
      failure,
      ...logged(),
    });
    task.start(0);
    await until(() => times === 2);
    await wait(20);
    expect(times).toBe(2);
    await task.stop();
  });

  it('is woken before its interval ends, and not postponed by a later wake', async () => {
    let times = 0;
    const work = () => Promise.resolve(void (times += 1));
    const task = new IntervalTask({ work, everyMs: 60_000, failure, ...logged() });
    task.start();
    task.wake(5);
    task.wake(30_000);
    await until(() => times === 1);
    await task.stop();
  });
});
