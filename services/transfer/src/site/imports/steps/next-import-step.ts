import type { OperationStep } from '../../operations/operation-step.js';
import type { OperationRow } from '../../operations/operations.repository.js';
import type { OperationStage } from '../../operations/transfer-operation.entity.js';
import { analyzeRecords } from './analyze-records.js';
import { analyzeReferences } from './analyze-references.js';
import { analyzeStructure } from './analyze-structure.js';
import { analyzeTarget } from './analyze-target.js';

const steps: Partial<Record<OperationStage, OperationStep>> = {
  analyze_structure: analyzeStructure,
  analyze_records: analyzeRecords,
  analyze_references: analyzeReferences,
  analyze_target: analyzeTarget,
};

/** The step that an active import takes next. */
export function nextImportStep({ stage }: Pick<OperationRow, 'stage'>): OperationStep {
  const step = stage === null ? undefined : steps[stage];
  if (!step) throw new Error(`An import has no stage ${String(stage)}`);
  return step;
}
