import type { Context } from '@quire/context';
import { invalidInput, QuireError } from '@quire/errors';
import type { StreamedBody } from '@quire/http-server';
import { outboxRow, runImport, sendMessage } from '@quire/jobs';
import type { Transaction } from '@quire/database';
import type { TransferDeps } from '../../transfer-deps.js';
import {
  importNotFound,
  parseImportConfig,
  parseResumeConfig,
  resolveImportConfig,
  type ImportRequest,
} from './import-config.js';
import { importSteps } from './import-steps.repository.js';
import { skipUnmappedTypes } from './import-items.repository.js';
import { selectImport, setRunning, updateImport, type ImportRow } from './imports.repository.js';
import { recordAttachments } from './record-attachments.js';
import { discardImport, receiveExport, type ReceivedFile } from './receive-export.js';
import { siteKey } from './site-key.js';

/** An import whose steps a worker takes. */
export interface StartedImport {
  row: ImportRow;
  /** What the response depends on. */
  request: Pick<ImportRequest, 'stream'>;
}

/**
 * Receives an export file and starts its import (contract 1.4), or resumes the import that the configuration names,
 * whose file is stored (contract 6): then the form needs no file, and one that it has is ignored.
 * @throws QuireError NO_FILE, IMPORT_INVALID_FILE, VALIDATION_ERROR, IMPORT_RUNNING, PAYLOAD_TOO_LARGE, NOT_FOUND,
 *   STORAGE_QUOTA_EXCEEDED, SERVICE_UNAVAILABLE; nothing is written then
 */
export async function startImport(
  ctx: Context,
  deps: TransferDeps,
  body: StreamedBody,
): Promise<StartedImport> {
  const { fields, file } = await receiveExport(ctx, deps, body);
  const isReceived = !(file instanceof QuireError);
  try {
    const resumed = parseResumeConfig(fields['config']);
    if (resumed) {
      if (isReceived) await discardImport(ctx, deps, file);
      return { row: await resumeImport(ctx, deps, resumed.importId), request: resumed };
    }
    if (!isReceived && file.code === 'NO_FILE') throw file;
    const request = parseImportConfig(fields['config']);
    if (!isReceived) throw file;
    return { row: await startReceived(ctx, deps, file, request), request };
  } catch (error) {
    if (isReceived) await discardImport(ctx, deps, file);
    throw error;
  }
}

/** An import that is stored and indexed, and what its file was. */
type Received = Pick<ReceivedFile, 'importId' | 'channel'> &
  Partial<Pick<ReceivedFile, 'fileName' | 'fileSize' | 'fileHash'>>;

/**
 * Lets the worker take the steps of a received import.
 * @throws QuireError VALIDATION_ERROR for an unknown collection, user or locale
 */
export async function startReceived(
  ctx: Context,
  deps: TransferDeps,
  { importId, channel, fileName, fileSize, fileHash }: Received,
  request: ImportRequest,
): Promise<ImportRow> {
  const config = await resolveImportConfig(ctx, deps.clients, request);
  // Outside of the transaction, which could deadlock with media imports that record the same addresses.
  await recordAttachments(ctx.db, importId, channel);
  const row = await ctx.db.transaction(async (tx) => {
    await skipUnmappedTypes(tx, importId, Object.keys(config.mappings));
    const values = {
      state: 'running' as const,
      site: siteKey(channel.siteUrl),
      config,
      channel,
      fileName: fileName ?? null,
      fileSize: fileSize === undefined ? null : String(fileSize),
      fileHash: fileHash ?? null,
    };
    const started = await updateImport(tx, { id: importId, states: ['reading'] }, values);
    if (!started) throw importNotFound();
    await requestSteps(ctx, tx, importId);
    return started;
  });
  deps.wakeDispatcher();
  return row;
}

/**
 * Continues a paused or failed import at its next step. A running or complete one is left as it is.
 * @throws QuireError NOT_FOUND; VALIDATION_ERROR when its file has been deleted; IMPORT_RUNNING when another import of
 *   the site has not ended
 */
export async function resumeImport(ctx: Context, deps: TransferDeps, importId: string): Promise<ImportRow> {
  const row = await ctx.db.transaction(async (tx) => {
    const resumed = await setRunning(tx, importId);
    if (resumed) await requestSteps(ctx, tx, importId);
    return resumed;
  });
  deps.wakeDispatcher();
  const present = row ?? (await selectImport(ctx.db, importId));
  if (!present) throw importNotFound();
  if (present.state === 'failed')
    throw invalidInput([{ path: 'importId', message: 'cannot be resumed: its file has been deleted' }]);
  return present;
}

/** Lets a worker take the next step: at once by its job, and by the runner when the job is lost. */
async function requestSteps(ctx: Context, tx: Transaction, importId: string): Promise<void> {
  const tenantId = ctx.principal.tenant.id;
  await importSteps.enqueue(tx, { tenantId, importId });
  await sendMessage(tx, 'transfer', outboxRow(runImport, { tenantId, importId }));
}
