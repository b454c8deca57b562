import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import { readMultipart, type FilePart, type StreamedBody } from '@quire/http-server';
import { ObjectStoreFull } from '@quire/object-store';
import { IntervalTask } from '@quire/runtime';
import { ulid } from '@quire/values';
import { describeFullStorage } from '../../clients/index.js';
import type { TransferDeps } from '../../transfer-deps.js';
import { ExportFileError, normaliseEncoding, readExport } from '../export-file/index.js';
import { exportFileKey, storeError, storeWhileReading } from './export-file-store.js';
import { indexExport } from './index-export.js';
import { emptyChannel, noCounts, type ImportChannel } from './import-state.js';
import { MeasuredFile } from './measured-file.js';
import { deleteImport, failAbandonedImports, insertImport, touchImport } from './imports.repository.js';

/** The other parts of a form: the configuration may name thousands of authors. */
const maxOverheadBytes = 1024 * 1024;
const heartbeatMs = 20_000;

/** A file that is stored and indexed under the id of a new import. */
export interface ReceivedFile {
  importId: string;
  fileKey: string;
  fileName: string | undefined;
  fileSize: number;
  fileHash: string;
  channel: ImportChannel;
}

/** A form whose parts were all read. */
export interface ReceivedForm {
  fields: Record<string, string>;
  /** The file, or the reason why it was not read: the form has none, or another import has not ended. */
  file: ReceivedFile | QuireError;
}

/**
 * Reads the form of an import: its file is stored and indexed while it arrives. A rejected file leaves nothing.
 * @throws QuireError IMPORT_INVALID_FILE, PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE, STORAGE_QUOTA_EXCEEDED,
 *   SERVICE_UNAVAILABLE
 */
export async function receiveExport(
  ctx: Context,
  deps: TransferDeps,
  body: StreamedBody,
): Promise<ReceivedForm> {
  const maxBytes = deps.options.maxImportBytes + maxOverheadBytes;
  if ((body.contentLength ?? 0) > maxBytes) throw fileTooLarge(deps.options.maxImportBytes);
  let file: ReceivedForm['file'] | undefined;
  const receive = async (part: FilePart) => {
    file = await receiveFile(ctx, deps, part).catch((error: unknown) => {
      if (!(error instanceof QuireError) || error.code !== 'IMPORT_RUNNING') throw error;
      part.bytes.resume();
      return error;
    });
  };
  try {
    const fields = await readMultipart(body, { file: receive }, { maxBytes });
    return { fields, file: file ?? noFile() };
  } catch (error) {
    if (file && 'importId' in file) await discardImport(ctx, deps, file);
    throw error;
  }
}

async function receiveFile(ctx: Context, deps: TransferDeps, part: FilePart): Promise<ReceivedFile> {
  return withNewImport(ctx, deps, 'wxr', async (place) => ({
    ...place,
    ...(await storeAndIndex(ctx, deps, part, place)),
  }));
}

/** Where the file of a new import is stored. */
export interface ImportPlace {
  importId: string;
  fileKey: string;
}

/**
 * Creates an import whose file or items are received by `receive`; when that fails, nothing is left.
 * @throws QuireError IMPORT_RUNNING, STORAGE_QUOTA_EXCEEDED with the space that the files of the site take; what
 *   `receive` throws, as errors of the API
 */
export async function withNewImport<Result>(
  ctx: Context,
  deps: TransferDeps,
  source: string,
  receive: (place: ImportPlace) => Promise<Result>,
): Promise<Result> {
  for (const id of await failAbandonedImports(ctx.db)) await deps.store.delete(exportFileKey(ctx, id));
  const importId = ulid();
  const place = { importId, fileKey: exportFileKey(ctx, importId) };
  await insertImport(ctx.db, {
    id: importId,
    source,
    site: '',
    state: 'reading',
    phase: 'bylines',
    config: emptyConfig,
    channel: emptyChannel,
    fileKey: place.fileKey,
    counts: noCounts,
    requestedBy: ctx.principal.userId ?? 'system',
  });
  const heartbeat = new IntervalTask({
    work: () => touchImport(ctx.db, importId),
    everyMs: heartbeatMs,
    failure: 'heartbeat of an import failed',
    logger: deps.logger,
  });
  heartbeat.start(heartbeatMs);
  try {
    return await receive(place);
  } catch (error) {
    await discardImport(ctx, deps, place);
    if (!(error instanceof ObjectStoreFull)) throw toApiError(error, deps.options);
    const { code, message, details } = await describeFullStorage(ctx, deps.clients.media);
    throw new QuireError(code, message, { details, cause: error });
  } finally {
    await heartbeat.stop();
  }
}

async function storeAndIndex(
  ctx: Context,
  { store, options }: TransferDeps,
  { bytes, filename }: FilePart,
  { importId, fileKey }: ImportPlace,
): Promise<Omit<ReceivedFile, 'importId' | 'fileKey'>> {
  const measured = new MeasuredFile(bytes);
  const channel = await storeWhileReading(store, fileKey, normaliseEncoding(measured), {
    maxBytes: options.maxImportBytes,
    take: (normalised) => indexExport(ctx.db, importId, readExport(normalised)),
  });
  return { fileName: filename, fileSize: measured.size, fileHash: measured.hash(), channel };
}

/** Deletes an import whose form was rejected, and its file. */
export async function discardImport(
  ctx: Context,
  { store, logger }: TransferDeps,
  { importId, fileKey }: ImportPlace,
): Promise<void> {
  const deletions = await Promise.allSettled([deleteImport(ctx.db, importId), store.delete(fileKey)]);
  for (const deletion of deletions)
    if (deletion.status === 'rejected')
      logger.warn({ importId, err: deletion.reason as unknown }, 'rejected import not deleted');
}

const emptyConfig = {
  mappings: {},
  skipExisting: true,
  authorMappings: {},
  locale: '',
  importSections: true,
  importComments: true,
  importMenus: true,
};

/** The error of the API for a fault of the file. */
export function toApiError(error: unknown, { maxImportBytes }: { maxImportBytes: number }): unknown {
  if (error instanceof ExportFileError)
    return new QuireError('IMPORT_INVALID_FILE', `The file is no complete export: ${error.message}`, {
      details: { line: error.line ?? null, reason: error.reason },
    });
  return storeError(error, maxImportBytes);
}

export function noFile(): QuireError {
  return new QuireError('NO_FILE', 'The form must contain an export file in the field "file"');
}

export function fileTooLarge(maxBytes: number): QuireError {
  return new QuireError('PAYLOAD_TOO_LARGE', `A file may have at most ${maxBytes} bytes`);
}
