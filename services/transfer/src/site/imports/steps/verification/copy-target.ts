import type { OperationStep } from '../../../operations/operation-step.js';
import { replaceCopies } from '../../../operations/copies.js';
import { executionResult } from '../execution/execution-result.js';
import type { VerificationCursor } from '../../execution-cursor.js';
import { placeOfKind } from '../../package-records/kinds.js';

/** Every service copies its records; the copies keep the media objects that are checked. */
export const copyTarget: OperationStep = async (ctx, deps, operation) => {
  const { attempt, counts } = await replaceCopies(ctx, deps, operation, { comments: true });
  const verification: VerificationCursor = {
    counts: { ...counts.content, ...counts.media, ...counts.search },
    kind: 'settings',
    place: placeOfKind('settings'),
    after: 0,
  };
  return executionResult(attempt, { execution: { verification }, work: { units: 1 } });
};
