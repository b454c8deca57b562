import type { RunOutcome } from './run-operation.js';

/** Delay of the next request while another process takes the steps, and after a failed step. */
const retryDelayMs = 1000;

/**
 * Milliseconds until a client requests the next step of an operation.
 * @param outcome of the step of this request
 * @returns 0 to repeat the request at once, null when no step is left
 */
export function nextRequestAfter(
  outcome: RunOutcome,
  { isStepLeft }: { isStepLeft: boolean },
): number | null {
  if (!isStepLeft) return null;
  return outcome === 'continued' ? 0 : retryDelayMs;
}
