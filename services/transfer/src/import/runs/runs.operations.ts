import type { Context } from '@quire/context';
import { cursorScope, KeysetPage } from '@quire/database';
import { invalidInput, QuireError } from '@quire/errors';
import { contentImportApi } from '@quire/internal-api';
import type { TransferDeps } from '../../transfer-deps.js';
import { deleteExportFile, exportFileKey } from './export-file-store.js';
import { importNotFound } from './import-config.js';
import { deleteItems } from './import-items.repository.js';
import { importResultOf, type ImportResult } from './import-result.js';
import {
  importOrder,
  selectImport,
  selectImports,
  updateImport,
  type ImportRow,
} from './imports.repository.js';

/** An import as lists and single reads show it. */
export interface ImportResponse {
  id: string;
  source: string;
  site: string;
  fileName: string | null;
  fileSize: number | null;
  fileHash: string | null;
  state: string;
  phase: string;
  progress: { done: number; total: number };
  error: { code: string; message: string } | null;
  requestedBy: string;
  createdAt: string;
  updatedAt: string;
  finishedAt: string | null;
}

/** The imports of the site, the newest first. @throws QuireError INVALID_CURSOR */
export async function listImports(
  ctx: Context,
  { cursor, limit }: { cursor?: string | undefined; limit: number },
): Promise<{ items: ImportResponse[]; nextCursor?: string }> {
  const scope = cursorScope({ operation: 'listImports', tenant: ctx.principal.tenant.id });
  const page = new KeysetPage(importOrder, scope, { cursor, limit });
  const { items, ...rest } = page.cut(await selectImports(ctx.db, page), ({ createdAt, id }) => ({
    value: createdAt,
    id,
  }));
  return { items: items.map(toImportResponse), ...rest };
}

/** One import with its summary so far. @throws QuireError NOT_FOUND */
export async function getImport(
  ctx: Context,
  importId: string,
): Promise<ImportResponse & { result: ImportResult }> {
  const row = await findImport(ctx, importId);
  return { ...toImportResponse(row), result: await importResultOf(ctx.db, row) };
}

/**
 * Pauses a running import after its present step. A paused one stays as it is.
 * @throws QuireError NOT_FOUND, VALIDATION_ERROR when it has ended
 */
export async function pauseImport(ctx: Context, importId: string): Promise<ImportResponse> {
  const row =
    (await updateImport(ctx.db, { id: importId, states: ['running'] }, { state: 'paused' })) ??
    (await findImport(ctx, importId));
  if (row.state !== 'paused')
    throw invalidInput([{ path: 'importId', message: `cannot be paused while it is ${row.state}` }]);
  return toImportResponse(row);
}

/** What an undone import left. */
export interface UndoResult {
  deleted: Record<string, number>;
  kept: Record<string, number>;
}

/**
 * Deletes what an import created and no user has changed since. It can be repeated. A paused or failed import cannot be
 * resumed from then on: its next step would build on what has been deleted.
 * @throws QuireError NOT_FOUND, IMPORT_RUNNING while it runs, SERVICE_UNAVAILABLE
 */
export async function undoImport(ctx: Context, deps: TransferDeps, importId: string): Promise<UndoResult> {
  const { site, state } = await findImport(ctx, importId);
  if (state === 'running' || state === 'reading')
    throw new QuireError('IMPORT_RUNNING', 'The import runs; pause it, or wait for its end');
  await endForGood(ctx, deps, importId);
  const result: UndoResult = { deleted: {}, kept: {} };
  for (;;) {
    const { deleted, kept, isComplete } = await deps.clients.content.call(contentImportApi.undoImport, ctx, {
      importId,
      site,
      limit: contentImportApi.maxImportedItems,
    });
    add(result.deleted, deleted);
    add(result.kept, kept);
    if (isComplete) return result;
  }
}

/** Deletes the file and the index of a paused or failed import, without which it cannot be resumed. */
async function endForGood(ctx: Context, deps: TransferDeps, importId: string): Promise<void> {
  const error = { code: 'IMPORT_ERROR', message: 'The import was undone' };
  const values = { state: 'failed' as const, finishedAt: new Date(), error, fileKey: null };
  const isEnded = await ctx.db.transaction(async (tx) => {
    const ended = await updateImport(tx, { id: importId, states: ['paused', 'failed'] }, values);
    if (ended) await deleteItems(tx, importId);
    return ended !== undefined;
  });
  if (isEnded) await deleteExportFile(deps, { id: importId, fileKey: exportFileKey(ctx, importId) });
}

function add(sums: Record<string, number>, numbers: Record<string, number>): void {
  for (const [kind, number] of Object.entries(numbers)) sums[kind] = (sums[kind] ?? 0) + number;
}

async function findImport(ctx: Context, importId: string): Promise<ImportRow> {
  const row = await selectImport(ctx.db, importId);
  if (!row) throw importNotFound();
  return row;
}

/** An import as clients see it. */
export function toImportResponse(row: ImportRow): ImportResponse {
  const { id, source, site, fileName, fileSize, fileHash, state, phase, counts, error } = row;
  const { requestedBy, createdAt, updatedAt, finishedAt } = row;
  return {
    id,
    source,
    site,
    fileName,
    fileSize: fileSize === null ? null : Number(fileSize),
    fileHash,
    state,
    phase,
    progress: counts.phase,
    error,
    requestedBy,
    createdAt,
    updatedAt,
    finishedAt,
  };
}
