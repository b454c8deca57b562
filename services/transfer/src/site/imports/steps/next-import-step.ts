import type { OperationStep } from '../../operations/operation-step.js';
import type { OperationRow } from '../../operations/operations.repository.js';
import type {
  AnalysisStage,
  ExecutionStage,
  OperationStage,
} from '../../operations/transfer-operation.entity.js';
import { analyzeRecords } from './analyze-records.js';
import { analyzeReferences } from './analyze-references.js';
import { analyzeStructure } from './analyze-structure.js';
import { analyzeTarget } from './analyze-target.js';
import { clearScaffold } from './execution/clear-scaffold.js';
import { rebuild } from './execution/rebuild.js';
import { reserve } from './execution/reserve.js';
import { writeRecords } from './execution/write-records.js';
import { verify } from './verification/verify.js';

const stepsOfImports: Record<AnalysisStage | ExecutionStage, OperationStep> = {
  analyze_structure: analyzeStructure,
  analyze_records: analyzeRecords,
  analyze_references: analyzeReferences,
  analyze_target: analyzeTarget,
  reserve,
  clear_scaffold: clearScaffold,
  schema: writeRecords,
  media: writeRecords,
  terms_bylines: writeRecords,
  content: writeRecords,
  relations: writeRecords,
  presentation: writeRecords,
  rebuild,
  verify,
};
const steps: Partial<Record<OperationStage, OperationStep>> = stepsOfImports;

/** The step that an active import takes next. */
export function nextImportStep({ stage }: Pick<OperationRow, 'stage'>): OperationStep {
  const step = stage === null ? undefined : steps[stage];
  if (!step) throw new Error(`An import has no stage ${String(stage)}`);
  return step;
}
