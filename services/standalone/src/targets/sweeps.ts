import type { Sweep } from '@quire/runtime';
import type { AppContainer } from '../app-container.js';

/**
 * Starts a sweep until the process stops, and reports its runs. Of several databases the metrics have the one whose
 * last success is the oldest.
 * @param name value of the label `sweep`: the name of its table of work, if it has one
 */
export function startSweep({ lifecycle, metrics }: AppContainer, name: string, sweep: Sweep): void {
  const labels = { sweep: name };
  const durations = metrics.histogram('quire_sweep_duration_seconds');
  for (const task of sweep.tasks) task.onRun((seconds) => durations.observe(labels, seconds));
  metrics.gauge('quire_sweep_interval_seconds', labels, () =>
    Math.max(...sweep.tasks.map(({ everyMs }) => everyMs / 1000)),
  );
  metrics.gauge('quire_sweep_last_success_timestamp_seconds', labels, () =>
    Math.min(...sweep.tasks.map(({ lastSuccessAt }) => lastSuccessAt.getTime() / 1000)),
  );
  sweep.start();
  lifecycle.onShutdown(`sweep:${name}`, () => sweep.stop());
}
