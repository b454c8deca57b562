import type { OperationStep } from '../../../operations/operation-step.js';
import { copyTarget } from './copy-target.js';
import { compareRecords } from './compare-records.js';
import { checkMedia } from './check-media.js';
import { completeImport } from './complete-import.js';

/**
 * Reads the site back: copies its records, compares them with those of the package, hashes the bytes of its media, and
 * ends the import.
 */
export const verify: OperationStep = (ctx, deps, operation, lease) => {
  const { verification } = operation.cursor.execution ?? {};
  if (verification === undefined) return copyTarget(ctx, deps, operation, lease);
  if (verification.kind !== undefined) return compareRecords(ctx, deps, operation, lease);
  if (verification.isMediaChecked !== true) return checkMedia(ctx, deps, operation, lease);
  return completeImport(ctx, deps, operation, lease);
};
