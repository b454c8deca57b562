import { createHash } from 'node:crypto';
import type { Context } from '@quire/context';
import type { ObjectStore } from '@quire/object-store';
import type { TransferDeps } from '../../../transfer-deps.js';
import { discardCopies } from '../../operations/copies.js';
import type { OperationStep, StepResult } from '../../operations/operation-step.js';
import type { OperationRow } from '../../operations/operations.repository.js';
import { firstMediaPosition } from '../../package-files/file-positions.js';
import { selectFiles, type PackageFileRow } from '../../package-files/package-files.repository.js';
import { hashObject, sizeOfObject } from '../../package-files/stored-files.js';
import { exportLifetimeDays, exportLimits } from '../export-limits.js';
import { progressAfter } from '../export-progress.js';
import { restartExport } from '../restart-export.js';

const dayMs = 24 * 3600 * 1000;

/** Reads stored files back and compares them, media files by their size; after the last one the export is complete. */
export const checkFiles: OperationStep = async (ctx, deps, operation) => {
  const { id, cursor } = operation;
  const page = { after: cursor.fileAfter ?? -1, limit: exportLimits.checkedFilesPerStep };
  const files = withinBytes(await selectFiles(ctx.db, id, page));
  if (files.length === 0) return completed(ctx, deps, operation);
  for (let start = 0; start < files.length; start += exportLimits.concurrentChecks) {
    const batch = files.slice(start, start + exportLimits.concurrentChecks);
    const areStored = await Promise.all(batch.map((file) => isStored(deps.store, file)));
    const lost = batch.find((_, index) => !areStored[index]);
    if (lost) return restartExport(operation, `${lost.path} is missing or changed in the object store`);
  }
  const next = { ...cursor, fileAfter: files.at(-1)?.position ?? page.after };
  const progress = progressAfter(operation, { stage: 'export_validate', cursor: next });
  return { change: { cursor: next, progress } };
};

/** The first files, up to the one that reaches the limit of bytes. Bytes of media are not read. */
function withinBytes(files: readonly PackageFileRow[]): PackageFileRow[] {
  let bytes = 0;
  return files.filter((file) => {
    const isChecked = bytes < exportLimits.checkedBytesPerStep;
    if (!isMedia(file)) bytes += file.bytes;
    return isChecked;
  });
}

const isMedia = ({ position }: PackageFileRow) => position >= firstMediaPosition;

/** @throws QuireError SERVICE_UNAVAILABLE */
async function isStored(store: ObjectStore, file: PackageFileRow): Promise<boolean> {
  if (!isMedia(file)) return (await storedHash(store, file)) === file.sha256;
  return (await sizeOfObject(store, file.objectKey)) === file.bytes;
}

async function storedHash(store: ObjectStore, { objectKey }: PackageFileRow): Promise<string | undefined> {
  const hash = createHash('sha256');
  const bytes = await hashObject(store, objectKey, { hash });
  return bytes === undefined ? undefined : hash.digest('hex');
}

async function completed(ctx: Context, deps: TransferDeps, operation: OperationRow): Promise<StepResult> {
  await discardCopies(ctx, deps, operation, { keepsFiles: true });
  const { progress } = operation;
  const done = (progress?.done ?? 0) + 1;
  return {
    change: {
      state: 'complete',
      stage: null,
      cursor: operation.cursor,
      progress: { ...progress, done, total: done },
      completedAt: new Date(),
      expiresAt: new Date(Date.now() + exportLifetimeDays * dayMs),
    },
  };
}
