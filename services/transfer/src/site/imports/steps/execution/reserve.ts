import { setTimeout as wait } from 'node:timers/promises';
import type { OperationStep } from '../../../operations/operation-step.js';
import { checkTarget } from './check-target.js';
import { executionLimits } from './execution-limits.js';
import { executionResult } from './execution-result.js';

/**
 * Makes the site read-only. A later step inspects it again, once the writes that had begun have ended: until then the
 * import has changed nothing, and ends without a trace when the site is no longer empty.
 */
export const reserve: OperationStep = async (ctx, deps, operation) => {
  const { fencedAt } = operation.cursor.execution ?? {};
  if (fencedAt === undefined) {
    await deps.fence.raise(ctx);
    return executionResult(operation, {
      execution: { fencedAt: new Date().toISOString() },
      work: { units: 1 },
    });
  }
  const elapsedMs = Date.now() - Date.parse(fencedAt);
  await wait(Math.min(Math.max(executionLimits.fenceDelayMs - elapsedMs, 0), executionLimits.fenceDelayMs));
  await checkTarget(ctx, deps);
  return executionResult(operation, { stage: 'clear_scaffold', work: { units: 1 } });
};
