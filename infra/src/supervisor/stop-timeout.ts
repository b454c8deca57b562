/** Time for all parts of a process to stop after the drain (`maxStopMs` of libs/runtime), and a margin. */
const partsMs = 25_000;
const maxDrainSeconds = 60;

/**
 * Time from the signal to stop until a process counts as hanging: longer than it may take.
 * @param env its environment; the application rejects a wrong CMS_DRAIN_SECONDS
 */
export function stopTimeoutMs(env: NodeJS.ProcessEnv): number {
  const seconds = Number(env['CMS_DRAIN_SECONDS'] ?? 0);
  const drainSeconds = seconds > 0 ? Math.min(seconds, maxDrainSeconds) : 0;
  return drainSeconds * 1_000 + partsMs;
}
