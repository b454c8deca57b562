import type { OperationProgress } from '../../operations/operation-state.js';
import type { OperationRow } from '../../operations/operations.repository.js';
import type { AnalysisStage } from '../../operations/transfer-operation.entity.js';

/** Steps of a stage and those after it at least, that is, those of a small site. */
const stepsFrom: Record<AnalysisStage, number> = {
  analyze_structure: 12,
  analyze_records: 10,
  analyze_references: 9,
  analyze_target: 1,
};

/** What a step has read. */
export interface Read {
  records?: number;
  bytes?: number;
}

/** The progress after a step that leads to a stage, or ends the analysis. The total is an estimate until the end. */
export function analysisProgress(
  { progress }: Pick<OperationRow, 'progress'>,
  stage: AnalysisStage | null,
  { records = 0, bytes = 0 }: Read = {},
): OperationProgress {
  const done = (progress?.done ?? 0) + 1;
  return {
    ...progress,
    done,
    total: done + (stage === null ? 0 : stepsFrom[stage]),
    records: (progress?.records ?? 0) + records,
    bytesDone: (progress?.bytesDone ?? 0) + bytes,
  };
}
