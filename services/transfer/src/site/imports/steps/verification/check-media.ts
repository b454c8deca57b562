import { createHash } from 'node:crypto';
import type { Context } from '@quire/context';
import { listSiteMediaFiles, siteRecords } from '@quire/internal-api';
import type { ObjectStore } from '@quire/object-store';
import { RunningDigest } from '@quire/site-package';
import type { TransferDeps } from '../../../../transfer-deps.js';
import { copyIdOf } from '../../../operations/copies.js';
import type { OperationStep } from '../../../operations/operation-step.js';
import type { OperationRow } from '../../../operations/operations.repository.js';
import { hashObject, sizeOfObject } from '../../../package-files/stored-files.js';
import { executionLimits, stepTime } from '../execution/execution-limits.js';
import { executionResult } from '../execution/execution-result.js';
import type { VerificationCursor } from '../../execution-cursor.js';
import { difference, verificationOf } from './verification.js';

interface MediaFile {
  sha256: string;
  objectKey: string;
  bytes: number;
}

const { mediaBytesPerPart, mediaFilesPerPage, concurrentFiles } = executionLimits;
const isSmall = ({ bytes }: MediaFile) => bytes <= mediaBytesPerPart;

/** Hashes the bytes of media files, small ones together and a large one in parts, and compares the hashes. */
export const checkMedia: OperationStep = async (ctx, deps, operation) => {
  const { mediaOffset = 0, mediaState, mediaAfter, ...verification } = verificationOf(operation);
  let [offset, state] = [mediaOffset, mediaState];
  const { items } = await deps.clients.media.call(listSiteMediaFiles, ctx, {
    operationId: copyIdOf(operation),
    after: mediaAfter ?? '',
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
      await Promise.all(files.map((file) => checkFile(ctx, deps, operation, file)));
      checked += files.length;
      work.bytes += files.reduce((sum, { bytes }) => sum + bytes, 0);
      continue;
    }
    const part = await hashPart(deps.store, first, { offset, state });
    work.bytes += part.offset - offset;
    ({ offset, state } = part);
    if (offset < first.bytes && !part.isEnd) continue;
    if (part.sha256 !== first.sha256) throw await mediaDifference(ctx, deps, operation, first);
    [offset, state] = [0, undefined];
    checked += 1;
  } while (hasTime());
  const next: VerificationCursor = {
    ...verification,
    mediaAfter: items[checked - 1]?.sha256 ?? mediaAfter ?? '',
    ...(state !== undefined && { mediaOffset: offset, mediaState: state }),
    ...(checked === items.length && items.length < mediaFilesPerPage && { isMediaChecked: true }),
  };
  return executionResult(operation, {
    execution: { verification: next },
    work: { ...work, units: checked },
  });
};

/** Small files that follow each other, as many as are hashed at a time. */
function smallFilesFrom(items: readonly MediaFile[], start: number): MediaFile[] {
  const next = items.slice(start, start + concurrentFiles);
  const large = next.findIndex((file) => !isSmall(file));
  return large === -1 ? next : next.slice(0, large);
}

async function checkFile(
  ctx: Context,
  deps: TransferDeps,
  operation: OperationRow,
  file: MediaFile,
): Promise<void> {
  const hash = createHash('sha256');
  const bytes = await hashObject(deps.store, file.objectKey, { hash });
  if (bytes === undefined || hash.digest('hex') !== file.sha256)
    throw await mediaDifference(ctx, deps, operation, file);
}

/** Hashes the next part of a large file. @returns `sha256` once all bytes are hashed */
async function hashPart(
  store: ObjectStore,
  file: MediaFile,
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

/** The error for a file whose bytes are missing or others, with the first media item that has it. */
async function mediaDifference(
  ctx: Context,
  { clients }: TransferDeps,
  operation: OperationRow,
  { sha256 }: MediaFile,
): Promise<Error> {
  const page = {
    operationId: copyIdOf(operation),
    kind: 'media_items' as const,
    maxRecords: executionLimits.recordsPerPage,
    maxBytes: executionLimits.recordBytesPerPage,
  };
  for (let after = 0; ;) {
    const { lines, last } = await clients.media.call(siteRecords.media.read, ctx, { ...page, after });
    const items = lines.map((line) => JSON.parse(line) as { id: string; sha256: string });
    const item = items.find((each) => each.sha256 === sha256);
    if (item || lines.length === 0) return difference('media_items', item?.id ?? sha256, { sha256 });
    after = last;
  }
}
