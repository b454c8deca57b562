import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import { recordKinds, type RecordKind } from '@quire/site-package';
import type { TransferDeps } from '../../transfer-deps.js';
import { listOperations, type OperationList } from '../operations/list-operations.js';
import { nextRequestAfter } from '../operations/next-request.js';
import {
  operationNotFound,
  toOperationResponse,
  type OperationResponse,
} from '../operations/operation-response.js';
import { selectOperation, type OperationRow } from '../operations/operations.repository.js';
import { isActive } from '../operations/record-step.js';
import { runOperation } from '../operations/run-operation.js';
import { selectFile, sumFiles, type PackageFileRow } from '../package-files/package-files.repository.js';
import { countOf } from './copied-records.js';

interface FileTotals {
  count: number;
  totalBytes: number;
}

/** What a complete export holds (spec document 2). */
export interface ExportTotals {
  records: { total: number; byKind: Partial<Record<RecordKind, number>> };
  media: FileTotals;
  files: FileTotals;
}

/** The exports of the site, the newest first. @throws QuireError INVALID_CURSOR */
export function listTransferExports(
  ctx: Context,
  query: { cursor?: string | undefined; limit: number },
): Promise<OperationList> {
  return listOperations(ctx, { id: 'listTransferExports', kind: 'export' }, query);
}

/** An export with its totals once it is complete. @throws QuireError TRANSFER_OPERATION_NOT_FOUND */
export async function getTransferExport(
  ctx: Context,
  id: string,
): Promise<{ operation: OperationResponse; totals?: ExportTotals }> {
  return describeExport(ctx, await findExport(ctx, id));
}

/**
 * Takes one step of an export, unless another process does: then the caller repeats the request after the delay.
 * @returns `nextRequestInMs` null when no step is left
 * @throws QuireError TRANSFER_OPERATION_NOT_FOUND
 */
export async function advanceTransferExport(
  ctx: Context,
  deps: TransferDeps,
  id: string,
): Promise<{ operation: OperationResponse; totals?: ExportTotals; nextRequestInMs: number | null }> {
  const outcome = isActive(await findExport(ctx, id))
    ? await runOperation(ctx, deps, id, () => true)
    : 'ended';
  const operation = await findExport(ctx, id);
  const nextRequestInMs = nextRequestAfter(outcome, { isStepLeft: isActive(operation) });
  return { ...(await describeExport(ctx, operation)), nextRequestInMs };
}

/**
 * A file of a complete export.
 * @throws QuireError TRANSFER_OPERATION_NOT_FOUND, TRANSFER_INVALID_STATE, TRANSFER_EXPIRED, NOT_FOUND
 */
export async function findExportFile(ctx: Context, id: string, path: string): Promise<PackageFileRow> {
  await findCompleteExport(ctx, id);
  const file = await selectFile(ctx.db, id, path);
  if (!file) throw new QuireError('NOT_FOUND', `The package has no file ${path}`);
  return file;
}

/** @throws QuireError TRANSFER_OPERATION_NOT_FOUND, TRANSFER_INVALID_STATE, TRANSFER_EXPIRED */
export async function findCompleteExport(ctx: Context, id: string): Promise<OperationRow> {
  const operation = await findExport(ctx, id);
  const { state, expiresAt } = operation;
  if (
    state === 'expired' ||
    (state === 'complete' && expiresAt !== null && Date.parse(expiresAt) <= Date.now())
  )
    throw new QuireError('TRANSFER_EXPIRED', 'The files of the export have been deleted; start another one');
  if (state !== 'complete')
    throw new QuireError('TRANSFER_INVALID_STATE', `The export has no files while it is ${state}`, {
      details: { state },
    });
  return operation;
}

async function findExport(ctx: Context, id: string): Promise<OperationRow> {
  const operation = await selectOperation(ctx.db, { id, kind: 'export' });
  if (!operation) throw operationNotFound();
  return operation;
}

async function describeExport(
  ctx: Context,
  row: OperationRow,
): Promise<{ operation: OperationResponse; totals?: ExportTotals }> {
  const operation = toOperationResponse(row);
  if (row.state !== 'complete') return { operation };
  const { cursor, id, progress } = row;
  const byKind = Object.fromEntries(
    recordKinds.flatMap((kind) => {
      const count = kind === 'principals' ? (cursor.principals ?? 0) : countOf(cursor, kind);
      return count > 0 ? [[kind, count] as const] : [];
    }),
  );
  const totalsOf = async (prefix: string) => {
    const { count, bytes } = await sumFiles(ctx.db, id, prefix);
    return { count, totalBytes: bytes };
  };
  const totals = {
    records: { total: progress?.records ?? 0, byKind },
    media: await totalsOf('media/'),
    files: await totalsOf(''),
  };
  return { operation, totals };
}
