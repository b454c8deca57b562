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

/** Writes one file with records. */
export const writeRecords: OperationStep = async (ctx, deps, operation) => {
  const { id, cursor } = operation;
  const { kind = 'principals', after = 0, chunk = 0, recordFiles = 0 } = cursor;
  const { lines, last } = await readPage(ctx, deps, operation, { kind, after });
  if (kind !== 'principals' && lines.length === 0 && after < countOf(cursor, kind))
    return restartExport(operation, 'copies lost');
  const isEnd = kind === 'principals' ? lines.length === 0 : last >= countOf(cursor, kind);
  const written: OperationCursor = {
    ...cursor,
    kind,
    after: last,
    chunk: chunk + 1,
    recordFiles: recordFiles + (lines.length > 0 ? 1 : 0),
    logicalState: await extendDigest(cursor.logicalState, kind, lines),
    ...(kind === 'principals' && { principals: (cursor.principals ?? 0) + lines.length }),
  };
  const next = isEnd ? beginNextKind(written, kind) : written;
  const stage = next.kind === undefined ? 'export_media' : 'export_records';
  if (lines.length === 0)
    return { change: { stage, cursor: next, progress: progressAfter(operation, { stage, cursor: next }) } };
  const bytes = Buffer.from(`${lines.join('\n')}\n`);
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
    written: { records: lines.length, bytes: bytes.length },
  });
  return {
    change: { stage, cursor: next, progress },
    write: (tx) => replaceFiles(tx, [{ ...file, position: firstRecordsPosition + recordFiles }]),
  };
};

/** The records of the next file. @returns no lines after the last record of the kind */
async function readPage(
  ctx: Context,
  deps: TransferDeps,
  operation: OperationRow,
  { kind, after }: { kind: RecordKind; after: number },
): Promise<ResponseOf<typeof siteRecords.content.read>> {
  const operationId = copyIdOf(operation);
  if (kind === 'principals') return readPrincipals(ctx, deps, operationId, after);
  const owner = ownerOf(operation.cursor, kind);
  if (owner === undefined) return { lines: [], last: 0 };
  return deps.clients[owner].call(siteRecords[owner].read, ctx, {
    operationId,
    kind,
    after,
    maxRecords: exportLimits.recordsPerFile,
    maxBytes: exportLimits.recordBytesPerFile,
  });
}

function beginNextKind(cursor: OperationCursor, kind: RecordKind): OperationCursor {
  const { kind: _, after: __, chunk: ___, ...rest } = cursor;
  const next = kindAfter(cursor, kind);
  return next === undefined ? rest : { ...rest, kind: next };
}

/** Adds records to the digest of the package. @throws QuireError TRANSFER_LIMIT_EXCEEDED */
async function extendDigest(
  state: string | undefined,
  kind: RecordKind,
  lines: readonly string[],
): Promise<string> {
  const digest = await RunningDigest.open(state);
  for (const line of lines) {
    const record = JSON.parse(line) as Record<string, unknown>;
    assertRecordFits(kind, line, record);
    if (isInLogicalDigest(kind)) digest.update(logicalBytesOf(kind, record));
  }
  return digest.save();
}
