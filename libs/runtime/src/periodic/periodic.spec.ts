import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { Periodic } from './periodic.js';

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
