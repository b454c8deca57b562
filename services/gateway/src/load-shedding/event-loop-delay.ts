import { monitorEventLoopDelay } from 'node:perf_hooks';

const intervalMs = 500;
const nanosecondsPerMillisecond = 1e6;

/**
 * Measures how late the event loop runs timers.
 * @returns the 99th percentile of the last half second, in milliseconds
 */
export function startEventLoopMonitor(): { delayMs: () => number; stop: () => void } {
  const histogram = monitorEventLoopDelay({ resolution: 20 });
  histogram.enable();
  let delayMs = 0;
  const timer = setInterval(() => {
    delayMs = histogram.percentile(99) / nanosecondsPerMillisecond;
    histogram.reset();
  }, intervalMs).unref();
  return {
    delayMs: () => delayMs,
    stop() {
      clearInterval(timer);
      histogram.disable();
    },
  };
}
