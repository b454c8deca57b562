import { isUtf8 } from 'node:buffer';
import { maxWrittenRecords } from '@quire/internal-api';
import { buffer } from 'node:stream/consumers';
import { packageFileAt, packageLimits, type RecordKind } from '@quire/site-package';
import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import type { ObjectStore } from '@quire/object-store';
import { firstMediaPosition, firstRecordsPosition } from '../../package-files/file-positions.js';
import { selectFiles, type PackageFileRow } from '../../package-files/package-files.repository.js';
import { openFile } from '../../package-files/stored-files.js';

/** A place among the records of a package: the position of a file, and an offset in its bytes. */
export interface RecordPlace {
  file: number;
  offset: number;
}

export const firstRecordPlace: RecordPlace = { file: firstRecordsPosition, offset: 0 };

/** Consecutive records of one file. */
export interface RecordBatch {
  kind: RecordKind;
  /** The file of the records. */
  path: string;
  /** JSON texts. */
  lines: string[];
  /** Whether the bytes of the lines are UTF-8; other bytes are replaced in their texts. */
  isUtf8: boolean;
  bytes: number;
  /** Place of the next batch. */
  next: RecordPlace;
  isEndOfFile: boolean;
}

const lineFeed = 0x0a;
/** Texts of a batch that are larger outlive many collections of garbage, which take longer than the work on them. */
export const maxBatchBytes = 1024 * 1024;
const firstReadBytes = 256 * 1024;
const leastReadBytes = 16 * 1024;
/** Later lines are often longer than the first ones. */
const estimateFactor = 1.1;

/**
 * Reads the records at a place: a bounded number of them and of bytes, unless one record is larger.
 * @returns undefined after the last record of the package
 * @throws QuireError TRANSFER_RECORD_INVALID for a record that is too large, SERVICE_UNAVAILABLE,
 *   TRANSFER_STORAGE_ERROR
 */
export async function readRecordBatch(
  ctx: Context,
  store: ObjectStore,
  operationId: string,
  place: RecordPlace,
): Promise<RecordBatch | undefined> {
  const [file] = await selectFiles(ctx.db, operationId, { after: place.file - 1, limit: 1 });
  if (!file || file.position >= firstMediaPosition) return undefined;
  const offset = file.position === place.file ? place.offset : 0;
  const described = packageFileAt(file.path);
  if (described?.type !== 'records') throw new Error(`${file.path} holds no records`);
  const text = await readLines(store, file, offset);
  const { lines, bytes } = cut(text);
  const isEndOfFile = offset + bytes >= file.bytes;
  const next = isEndOfFile
    ? { file: file.position + 1, offset: 0 }
    : { file: file.position, offset: offset + bytes };
  return {
    kind: described.kind,
    path: file.path,
    lines,
    isUtf8: isUtf8(text.subarray(0, bytes)),
    bytes,
    next,
    isEndOfFile,
  };
}

/**
 * The bytes of a batch: at least one whole line, or the rest of the file. A second read has about as many bytes as the
 * rest of the batch needs, by the length of the lines of the first one.
 */
async function readLines(store: ObjectStore, file: PackageFileRow, offset: number): Promise<Buffer> {
  let text = Buffer.alloc(0);
  for (let size = firstReadBytes; ; size = nextReadBytes(text)) {
    const start = offset + text.length;
    const end = Math.min(start + size, file.bytes);
    if (end <= start) return text;
    const part = await buffer(await openFile(store, file, { start, end: end - 1 }));
    text = text.length === 0 ? part : Buffer.concat([text, part]);
    if (end === file.bytes || isWholeBatch(text)) return text;
    if (text.length > packageLimits.recordLineBytes && !text.includes(lineFeed))
      throw new QuireError('TRANSFER_RECORD_INVALID', `A record of ${file.path} is too large`, {
        details: { path: file.path, offset },
      });
  }
}

function isWholeBatch(text: Buffer): boolean {
  const lines = countLines(text);
  return lines >= maxWrittenRecords || (lines > 0 && text.length >= maxBatchBytes);
}

/** A record that has not ended yet is read in growing parts. */
function nextReadBytes(text: Buffer): number {
  const lines = countLines(text);
  if (lines === 0) return 3 * text.length;
  const needed = Math.ceil((maxWrittenRecords - lines) * (text.length / lines) * estimateFactor);
  return Math.min(Math.max(needed, leastReadBytes), maxBatchBytes - text.length);
}

function countLines(text: Buffer): number {
  let lines = 0;
  for (let end = text.indexOf(lineFeed); end !== -1; end = text.indexOf(lineFeed, end + 1)) lines += 1;
  return lines;
}

/** The lines of a batch; a line at the end of the text without a line feed is one if there is no other. */
function cut(text: Buffer): { lines: string[]; bytes: number } {
  const lines: string[] = [];
  let start = 0;
  while (start < text.length && lines.length < maxWrittenRecords) {
    const end = text.indexOf(lineFeed, start);
    if (end === -1 || (lines.length > 0 && end >= maxBatchBytes)) break;
    lines.push(text.toString('utf8', start, end));
    start = end + 1;
  }
  if (lines.length > 0 || start >= text.length) return { lines, bytes: start };
  return { lines: [text.toString('utf8')], bytes: text.length };
}
