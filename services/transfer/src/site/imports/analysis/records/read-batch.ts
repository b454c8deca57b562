import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import type { ObjectStore } from '@quire/object-store';
import { packageFileAt } from '@quire/site-package';
import { selectFiles } from '../../../package-files/package-files.repository.js';
import {
  readRecordBatch,
  type RecordBatch,
  type RecordPlace,
} from '../../package-records/read-record-batch.js';

/** A batch; `isTooLarge` for one without lines, whose file has a record beyond the limit: the next one is after it. */
export type AnalyzedBatch = RecordBatch & { isTooLarge: boolean };

/**
 * Reads the records at a place. A file with a record beyond the limit of the format is left out from there.
 * @returns undefined after the last record of the package
 * @throws QuireError SERVICE_UNAVAILABLE, TRANSFER_STORAGE_ERROR
 */
export async function readBatch(
  ctx: Context,
  store: ObjectStore,
  operationId: string,
  place: RecordPlace,
): Promise<AnalyzedBatch | undefined> {
  try {
    const batch = await readRecordBatch(ctx, store, operationId, place);
    return batch && { ...batch, isTooLarge: false };
  } catch (error) {
    if (!(error instanceof QuireError) || error.code !== 'TRANSFER_RECORD_INVALID') throw error;
    const [file] = await selectFiles(ctx.db, operationId, { after: place.file - 1, limit: 1 });
    const described = file && packageFileAt(file.path);
    if (!file || described?.type !== 'records') throw error;
    const next = { file: file.position + 1, offset: 0 };
    const { kind } = described;
    return {
      kind,
      path: file.path,
      lines: [],
      isUtf8: true,
      bytes: 0,
      next,
      isEndOfFile: true,
      isTooLarge: true,
    };
  }
}
