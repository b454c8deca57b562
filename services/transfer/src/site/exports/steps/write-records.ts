import { setImmediate as immediate } from 'node:timers/promises';
import type { Context } from '@quire/context';
import { siteRecords, type ResponseOf } from '@quire/internal-api';
import {
  isInLogicalDigest,
  logicalBytesOf,
  recordsPath,
  RunningDigest,
  type RecordKind,
} from '@quire/site-package';
import type { TransferDeps } from '../../../transfer-deps.js';
import type { OperationStep } from '../../operations/operation-step.js';
import type { OperationCursor } from '../../operations/operation-state.js';
import type { OperationRow } from '../../operations/operations.repository.js';
import { firstRecordsPosition } from '../../package-files/file-positions.js';
import { copyIdOf } from '../../operations/copies.js';
import { replaceFiles } from '../../package-files/package-files.repository.js';
import { storeFile } from '../../package-files/stored-files.js';
import { countOf, kindAfter, ownerOf } from '../copied-records.js';
import { exportLimits } from '../export-limits.js';
import { progressAfter } from '../export-progress.js';
import { restartExport } from '../restart-export.js';
import { assertRecordFits, assertWithin } from '../package-limits.js';
import { readPrincipals } from './read-principals.js';

/** The records of a file, and how far the export has read those of the kind. */
interface FileContent {
  bytes: Buffer;
  records: number;
  last: number;
  logicalState: string;
  /** Whether the copies are gone, which a crash of the database empties. */
  isLost: boolean;
}

/** Writes one file with records. */
export const writeRecords: OperationStep = async (ctx, deps, operation) => {
  const { id, cursor } = operation;
  const { kind = 'principals', chunk = 0, recordFiles = 0 } = cursor;
  const { bytes, records, last, logicalState, isLost } = await readFile(ctx, deps, operation, kind);
  if (isLost) return restartExport(operation, 'copies lost');
  const isEnd = kind === 'principals' ? records === 0 : last >= countOf(cursor, kind);
  const written: OperationCursor = {
    ...cursor,
    kind,
    after: last,
    chunk: chunk + 1,
    recordFiles: recordFiles + (records > 0 ? 1 : 0),
    logicalState,
    ...(kind === 'principals' && { principals: (cursor.principals ?? 0) + records }),
  };
  const next = isEnd ? beginNextKind(written, kind) : written;
  const stage = next.kind === undefined ? 'export_media' : 'export_records';
  if (records === 0)
    return { change: { stage, cursor: next, progress: progressAfter(operation, { stage, cursor: next }) } };
  assertWithin('chunkBytes', bytes.length, { kind });
  assertWithin('filesOfKind', chunk + 1, { kind });
  const file = await storeFile(ctx, deps.store, {
    operationId: id,
    path: recordsPath(kind, chunk + 1),
    bytes,
  });
  const progress = progressAfter(operation, {
    stage,
    cursor: next,
    written: { records, bytes: bytes.length },
  });
  return {
    change: { stage, cursor: next, progress },
    write: (tx) => replaceFiles(tx, [{ ...file, position: firstRecordsPosition + recordFiles }]),
  };
};

/** Reads the records of the next file page by page, each while those of the one before are added to the digest. */
async function readFile(
  ctx: Context,
  deps: TransferDeps,
  operation: OperationRow,
  kind: RecordKind,
): Promise<FileContent> {
  const { cursor } = operation;
  const { after = 0 } = cursor;
  const { recordsPerFile, recordBytesPerFile, recordsPerPage, recordBytesPerPage } = exportLimits;
  const digest = await RunningDigest.open(cursor.logicalState);
  const pages: Buffer[] = [];
  const read = { records: 0, bytes: 0, last: after };
  const readNext = () => {
    const maxRecords = Math.min(recordsPerPage, recordsPerFile - read.records);
    const maxBytes = Math.min(recordBytesPerPage, recordBytesPerFile - read.bytes);
    const page = readPage(ctx, deps, operation, { kind, after: read.last, maxRecords, maxBytes });
    page.catch(() => undefined);
    return page;
  };
  // All principals of a page are of one request.
  const isWhole = () =>
    kind === 'principals' ||
    read.last >= countOf(cursor, kind) ||
    read.records >= recordsPerFile ||
    read.bytes >= recordBytesPerFile;
  let page: Promise<RecordPage> | undefined = readNext();
  while (page) {
    const { lines, last } = await page;
    read.last = last;
    if (lines.length === 0) break;
    const bytes = Buffer.from(`${lines.join('\n')}\n`);
    pages.push(bytes);
    read.records += lines.length;
    read.bytes += bytes.length;
    page = isWhole() ? undefined : readNext();
    // The request for the next page leaves before the work on this one.
    if (page) await immediate();
    extendDigest(digest, kind, lines);
  }
  return {
    bytes: Buffer.concat(pages),
    records: read.records,
    last: read.last,
    logicalState: digest.save(),
    isLost: !isWhole(),
  };
}

type RecordPage = ResponseOf<typeof siteRecords.content.read>;

/** A page of records. @returns no lines after the last record of the kind */
async function readPage(
  ctx: Context,
  deps: TransferDeps,
  operation: OperationRow,
  { kind, ...page }: { kind: RecordKind; after: number; maxRecords: number; maxBytes: number },
): Promise<RecordPage> {
  const operationId = copyIdOf(operation);
  if (kind === 'principals') return readPrincipals(ctx, deps, operationId, page.after);
  const owner = ownerOf(operation.cursor, kind);
  if (owner === undefined) return { lines: [], last: 0 };
  return deps.clients[owner].call(siteRecords[owner].read, ctx, { operationId, kind, ...page });
}

function beginNextKind(cursor: OperationCursor, kind: RecordKind): OperationCursor {
  const { kind: _, after: __, chunk: ___, ...rest } = cursor;
  const next = kindAfter(cursor, kind);
  return next === undefined ? rest : { ...rest, kind: next };
}

/** Adds records to the digest of the package. @throws QuireError TRANSFER_LIMIT_EXCEEDED */
function extendDigest(digest: RunningDigest, kind: RecordKind, lines: readonly string[]): void {
  for (const line of lines) {
    const record = JSON.parse(line) as Record<string, unknown>;
    assertRecordFits(kind, line, record);
    if (isInLogicalDigest(kind)) digest.update(logicalBytesOf(kind, record));
  }
}
