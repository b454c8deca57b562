import type { OperationCursor, OperationProgress } from '../operations/operation-state.js';
import type { OperationRow } from '../operations/operations.repository.js';
import type { ExportStage } from '../operations/transfer-operation.entity.js';
import { remainingRecordFiles } from './copied-records.js';

/** Steps of a stage at least, that is, those of a small site. */
const stepsAfter: Record<ExportStage, number> = {
  export_records: 4,
  export_media: 3,
  export_finalize: 2,
  export_validate: 1,
};

/** What a step has written. */
export interface Written {
  records?: number;
  bytes?: number;
}

/** The progress after a step that leads to a stage. The total is an estimate until the last stage. */
export function progressAfter(
  { progress }: Pick<OperationRow, 'progress'>,
  { stage, cursor, written = {} }: { stage: ExportStage; cursor: OperationCursor; written?: Written },
): OperationProgress {
  const done = (progress?.done ?? 0) + 1;
  const remaining = stepsAfter[stage] + (stage === 'export_records' ? remainingRecordFiles(cursor) : 0);
  return {
    ...progress,
    done,
    total: done + remaining,
    records: (progress?.records ?? 0) + (written.records ?? 0),
    bytesDone: (progress?.bytesDone ?? 0) + (written.bytes ?? 0),
  };
}
