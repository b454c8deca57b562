import type { OperationStep } from '../../operations/operation-step.js';
import type { OperationRow } from '../../operations/operations.repository.js';
import type { ExportStage } from '../../operations/transfer-operation.entity.js';
import { checkFiles } from './check-files.js';
import { copyRecords } from './copy-records.js';
import { listMedia } from './list-media.js';
import { writeIndex } from './write-index.js';
import { writeRecords } from './write-records.js';

const steps: Record<ExportStage, OperationStep> = {
  export_records: writeRecords,
  export_media: listMedia,
  export_finalize: writeIndex,
  export_validate: checkFiles,
};

/** The step that an active export takes next. */
export function nextExportStep({ stage }: Pick<OperationRow, 'stage'>): OperationStep {
  return stage === null ? copyRecords : steps[stage as ExportStage];
}
