import { QuireError } from '@quire/errors';
import type { StepResult } from '../../operations/operation-step.js';
import type { OperationRow } from '../../operations/operations.repository.js';
import { maxAnalysisRestarts } from '../analysis/analysis-limits.js';

/**
 * Lets an analysis begin again: a crash of the database deletes the copies of keys.
 * @throws QuireError TRANSFER_ANALYZE_ERROR after several restarts
 */
export function restartAnalysis({ cursor }: Pick<OperationRow, 'cursor'>): StepResult {
  const restarts = (cursor.analysis?.restarts ?? 0) + 1;
  if (restarts > maxAnalysisRestarts)
    throw new QuireError('TRANSFER_ANALYZE_ERROR', `The analysis began again ${maxAnalysisRestarts} times`, {
      details: { reason: 'copies of keys lost' },
    });
  const analysis = { issues: { blockers: [], warnings: [], omitted: 0 }, restarts };
  return { change: { stage: 'analyze_structure', cursor: { analysis }, progress: null } };
}
