import type { Context } from '@quire/context';
import {
  digestOf,
  formatVersion,
  indexPath,
  manifestPath,
  recordKinds,
  RunningDigest,
  type DeclaredFile,
  type Manifest,
} from '@quire/site-package';
import type { TransferDeps } from '../../../transfer-deps.js';
import type { OperationStep, StepResult } from '../../operations/operation-step.js';
import type { OperationCursor } from '../../operations/operation-state.js';
import type { OperationRow } from '../../operations/operations.repository.js';
import {
  firstIndexPosition,
  firstRecordsPosition,
  manifestPosition,
} from '../../package-files/file-positions.js';
import {
  replaceFiles,
  selectFiles,
  sumFiles,
  type PackageFileRow,
} from '../../package-files/package-files.repository.js';
import { storeFile } from '../../package-files/stored-files.js';
import { countOf } from '../copied-records.js';
import { exportLimits } from '../export-limits.js';
import { progressAfter } from '../export-progress.js';
import { assertWithin } from '../package-limits.js';

/** Writes one file of the index, and after the last one the manifest. */
export const writeIndex: OperationStep = async (ctx, deps, operation) => {
  const { id, cursor } = operation;
  const { fileAfter = firstRecordsPosition - 1, indexFiles = 0 } = cursor;
  const page = { after: fileAfter, limit: exportLimits.filesPerIndexFile };
  const files = await selectFiles(ctx.db, id, page);
  if (files.length === 0) return writeManifest(ctx, deps, operation);
  const bytes = Buffer.from(`${files.map((file) => JSON.stringify(declared(file))).join('\n')}\n`);
  const path = indexPath(indexFiles + 1);
  assertWithin('indexChunks', indexFiles + 1);
  assertWithin('chunkBytes', bytes.length, { path });
  const file = await storeFile(ctx, deps.store, { operationId: id, path, bytes });
  const next = { ...cursor, fileAfter: files.at(-1)?.position ?? fileAfter, indexFiles: indexFiles + 1 };
  return {
    change: {
      cursor: next,
      progress: progressAfter(operation, {
        stage: 'export_finalize',
        cursor: next,
        written: { bytes: bytes.length },
      }),
    },
    write: (tx) => replaceFiles(tx, [{ ...file, position: firstIndexPosition + indexFiles }]),
  };
};

async function writeManifest(ctx: Context, deps: TransferDeps, operation: OperationRow): Promise<StepResult> {
  const { id } = operation;
  const { fileAfter: _, ...cursor } = operation.cursor;
  const bytes = Buffer.from(`${JSON.stringify(await manifestOf(ctx, deps, operation), null, 2)}\n`);
  assertWithin('manifestBytes', bytes.length);
  const file = await storeFile(ctx, deps.store, { operationId: id, path: manifestPath, bytes });
  const progress = progressAfter(operation, {
    stage: 'export_validate',
    cursor,
    written: { bytes: bytes.length },
  });
  return {
    change: {
      stage: 'export_validate',
      cursor,
      packageDigest: digestOf(bytes),
      progress: { ...progress, bytesTotal: progress.bytesDone ?? 0 },
    },
    write: (tx) => replaceFiles(tx, [{ ...file, position: manifestPosition }]),
  };
}

async function manifestOf(ctx: Context, deps: TransferDeps, { id, cursor }: OperationRow): Promise<Manifest> {
  const { indexFiles = 0, logicalState } = cursor;
  const page = { after: firstIndexPosition - 1, limit: indexFiles };
  const index = indexFiles === 0 ? [] : await selectFiles(ctx.db, id, page);
  const logical = await RunningDigest.open(logicalState);
  return {
    formatVersion,
    packageId: id,
    siteId: ctx.principal.tenant.id,
    createdAt: new Date().toISOString(),
    createdBy: { name: 'quire', version: deps.options.version },
    features: [],
    optionalFeatures: [],
    counts: countsOf(cursor),
    records: await sumFiles(ctx.db, id, 'records/'),
    media: await sumFiles(ctx.db, id, 'media/'),
    logicalDigest: logical.digest(),
    index: index.map(declared),
  };
}

function countsOf(cursor: OperationCursor): Manifest['counts'] {
  const counts = recordKinds.map((kind) => [
    kind,
    kind === 'principals' ? (cursor.principals ?? 0) : countOf(cursor, kind),
  ]);
  return Object.fromEntries(counts.filter(([, count]) => count !== 0)) as Manifest['counts'];
}

function declared({ path, bytes, sha256 }: PackageFileRow): DeclaredFile {
  return { path, bytes, sha256 };
}
