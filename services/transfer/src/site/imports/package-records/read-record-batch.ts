import { isUtf8 } from 'node:buffer';
import { maxWrittenBytes, maxWrittenRecords } from '@quire/internal-api';
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

/** Bytes that begin with at least one whole line, or end the file. */
async function readLines(store: ObjectStore, file: PackageFileRow, offset: number): Promise<Buffer> {
  for (let size = maxWrittenBytes; ; size *= 4) {
    const end = Math.min(offset + size, file.bytes);
    if (end <= offset) return Buffer.alloc(0);
    const bytes = await buffer(await openFile(store, file, { start: offset, end: end - 1 }));
    if (end === file.bytes || bytes.includes(lineFeed)) return bytes;
    if (size > packageLimits.recordLineBytes)
      throw new QuireError('TRANSFER_RECORD_INVALID', `A record of ${file.path} is too large`, {
        details: { path: file.path, offset },
      });
  }
}

/** The lines of a text; a line at its end without a line feed is one if there is no other. */
function cut(text: Buffer): { lines: string[]; bytes: number } {
  const lines: string[] = [];
  let start = 0;
  while (start < text.length && lines.length < maxWrittenRecords) {
    const end = text.indexOf(lineFeed, start);
    if (end === -1) break;
    lines.push(text.toString('utf8', start, end));
    start = end + 1;
  }
  if (lines.length > 0 || start >= text.length) return { lines, bytes: start };
  return { lines: [text.toString('utf8')], bytes: text.length };
}
