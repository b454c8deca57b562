import { createHash } from 'node:crypto';
import { listSiteMediaObjects } from '@quire/internal-api';
import type { ObjectStore } from '@quire/object-store';
import { RunningDigest } from '@quire/site-package';
import type { TransferDeps } from '../../../../transfer-deps.js';
import type { OperationStep } from '../../../operations/operation-step.js';
import { hashObject, sizeOfObject } from '../../../package-files/stored-files.js';
import { executionLimits, stepTime } from '../execution/execution-limits.js';
import { executionResult } from '../execution/execution-result.js';
import type { VerificationCursor } from '../../execution-cursor.js';
import { difference, verificationOf } from './verification.js';

/** The object of a media item. */
interface MediaObject {
  id: string;
  sha256: string;
  objectKey: string;
  bytes: number;
}

const { mediaBytesPerPart, mediaFilesPerPage, concurrentFiles } = executionLimits;
const isSmall = ({ bytes }: MediaObject) => bytes <= mediaBytesPerPart;

/**
 * Hashes the bytes of every stored object, small ones together and a large one in parts, and compares the hashes. The
 * site is read-only: no item is added, replaced or deleted during the verification.
 */
export const checkMedia: OperationStep = async (ctx, deps, operation) => {
  const { mediaOffset = 0, mediaState, itemAfter, ...verification } = verificationOf(operation);
  let [offset, state] = [mediaOffset, mediaState];
  const { items } = await deps.clients.media.call(listSiteMediaObjects, ctx, {
    after: itemAfter ?? '',
    limit: mediaFilesPerPage,
  });
  const hasTime = stepTime();
  const work = { units: 0, bytes: 0 };
  let checked = 0;
  do {
    const [first] = items.slice(checked);
    if (!first) break;
    if (isSmall(first)) {
      const files = smallFilesFrom(items, checked);
      await Promise.all(files.map((file) => checkFile(deps, file)));
      checked += files.length;
      work.bytes += files.reduce((sum, { bytes }) => sum + bytes, 0);
      continue;
    }
    const part = await hashPart(deps.store, first, { offset, state });
    work.bytes += part.offset - offset;
    ({ offset, state } = part);
    if (offset < first.bytes && !part.isEnd) continue;
    if (part.sha256 !== first.sha256) throw mediaDifference(first);
    [offset, state] = [0, undefined];
    checked += 1;
  } while (hasTime());
  const next: VerificationCursor = {
    ...verification,
    itemAfter: items[checked - 1]?.id ?? itemAfter ?? '',
    ...(state !== undefined && { mediaOffset: offset, mediaState: state }),
    ...(checked === items.length && items.length < mediaFilesPerPage && { isMediaChecked: true }),
  };
  return executionResult(operation, {
    execution: { verification: next },
    work: { ...work, units: checked },
  });
};

/** Small files that follow each other, as many as are hashed at a time. */
function smallFilesFrom(items: readonly MediaObject[], start: number): MediaObject[] {
  const next = items.slice(start, start + concurrentFiles);
  const large = next.findIndex((file) => !isSmall(file));
  return large === -1 ? next : next.slice(0, large);
}

async function checkFile({ store }: Pick<TransferDeps, 'store'>, file: MediaObject): Promise<void> {
  const hash = createHash('sha256');
  const bytes = await hashObject(store, file.objectKey, { hash });
  if (bytes === undefined || hash.digest('hex') !== file.sha256) throw mediaDifference(file);
}

/** Hashes the next part of a large file. @returns `sha256` once all bytes are hashed */
async function hashPart(
  store: ObjectStore,
  file: MediaObject,
  { offset, state }: { offset: number; state: string | undefined },
): Promise<{ offset: number; state: string; isEnd: boolean; sha256?: string }> {
  const digest = await RunningDigest.open(state);
  const range = { start: offset, end: Math.min(offset + mediaBytesPerPart, file.bytes) - 1 };
  const expected = range.end + 1 - range.start;
  const bytes = await hashObject(store, file.objectKey, { hash: digest, range });
  const isEnd = bytes !== expected || range.end + 1 === file.bytes;
  const next = { offset: offset + (bytes ?? 0), state: digest.save(), isEnd };
  if (!isEnd) return next;
  const isWhole = (await sizeOfObject(store, file.objectKey)) === file.bytes && bytes === expected;
  return { ...next, ...(isWhole && { sha256: digest.digest().slice('sha256:'.length) }) };
}

/** The error for an item whose bytes are missing or others. */
function mediaDifference({ id, sha256 }: MediaObject): Error {
  return difference('media_items', id, { sha256 });
}
