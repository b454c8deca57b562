import type { OperationStep } from '../../operations/operation-step.js';
import type { OperationRow } from '../../operations/operations.repository.js';
import type { OperationStage } from '../../operations/transfer-operation.entity.js';

const steps: Partial<Record<OperationStage, OperationStep>> = {};

/** The step that an active import takes next. */
export function nextImportStep({ stage }: Pick<OperationRow, 'stage'>): OperationStep {
  const step = stage === null ? undefined : steps[stage];
  if (!step) throw new Error(`An import has no stage ${String(stage)}`);
  return step;
}
