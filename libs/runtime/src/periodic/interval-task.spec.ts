import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { IntervalTask } from './interval-task.js';

const failure = 'it does not work now';

function logged() {
  const warnings: string[] = [];
  return { warnings, logger: { warn: (_: object, text: string) => void warnings.push(text) } };
}

/** Waits for something to become so. */
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
});
