import { describe, expect, it } from '@jest/globals';
import { loadEnvironment } from '@quire/config';
import { IntervalTask } from '@quire/runtime';
import { AppContainer } from '../app-container.js';
import { startSweep } from './sweeps.js';

describe('startSweep', () => {
  it('reports the runs, and the oldest last success of its tasks', async () => {
    const container = new AppContainer(loadEnvironment(), { defaultLocale: 'en' }, ['spec']);
    const logger = { warn: () => undefined };
    const taskOf = (work: () => Promise<void>) =>
      new IntervalTask({ work, everyMs: 2_000, failure: 'down', logger });
    const tasks = [taskOf(() => Promise.reject(new Error('down'))), taskOf(() => Promise.resolve())];
    const [down, up] = tasks;
    let isStopped = false;
    startSweep(container, 'schedules', {
      tasks,
      start: () => undefined,
      stop: () => Promise.resolve(void (isStopped = true)),
    });
    while ((up?.lastSuccessAt.getTime() ?? 0) <= (down?.lastSuccessAt.getTime() ?? 0)) await up?.runOnce();
    await down?.runOnce();
    const text = await container.metrics.registry.metrics();
    const valueOf = (name: string) =>
      Number(text.split(`quire_sweep_${name}{sweep="schedules"} `)[1]?.split('\n')[0]);
    expect(valueOf('interval_seconds')).toBe(2);
    expect(valueOf('last_success_timestamp_seconds')).toBe((down?.lastSuccessAt.getTime() ?? 0) / 1000);
    expect(valueOf('duration_seconds_count')).toBeGreaterThanOrEqual(2);
    await container.lifecycle.stop();
    expect(isStopped).toBe(true);
  });
});
