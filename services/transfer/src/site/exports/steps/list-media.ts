import { listSiteMediaFiles } from '@quire/internal-api';
import { mediaPath } from '@quire/site-package';
import type { OperationStep } from '../../operations/operation-step.js';
import { copyIdOf } from '../../operations/copies.js';
import { firstMediaPosition } from '../../package-files/file-positions.js';
import { replaceFiles } from '../../package-files/package-files.repository.js';
import { exportLimits } from '../export-limits.js';
import { progressAfter } from '../export-progress.js';
import { assertWithin } from '../package-limits.js';

/** Lists media files of the package. Their bytes stay where they are: the media service keeps them for the export. */
export const listMedia: OperationStep = async (ctx, { clients }, operation) => {
  const { id, cursor } = operation;
  const { mediaAfter = '', mediaFiles = 0, recordFiles = 0 } = cursor;
  const limit = exportLimits.mediaFilesPerStep;
  const { items } = await clients.media.call(listSiteMediaFiles, ctx, {
    operationId: copyIdOf(operation),
    after: mediaAfter,
    limit,
  });
  for (const { sha256, bytes } of items) assertWithin('maxBlobBytes', bytes, { path: mediaPath(sha256) });
  assertWithin('totalFiles', recordFiles + mediaFiles + items.length);
  const files = items.map(({ sha256, objectKey, bytes }, index) => ({
    operationId: id,
    position: firstMediaPosition + mediaFiles + index,
    path: mediaPath(sha256),
    bytes,
    sha256,
    objectKey,
  }));
  const next = {
    ...cursor,
    mediaAfter: items.at(-1)?.sha256 ?? mediaAfter,
    mediaFiles: mediaFiles + items.length,
  };
  const stage = items.length < limit ? 'export_finalize' : 'export_media';
  const bytes = items.reduce((sum, file) => sum + file.bytes, 0);
  const progress = progressAfter(operation, { stage, cursor: next, written: { bytes } });
  return {
    change: { stage, cursor: next, progress },
    write: (tx) => replaceFiles(tx, files),
  };
};
