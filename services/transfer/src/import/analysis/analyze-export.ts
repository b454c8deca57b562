import type { Context } from '@quire/context';
import { readMultipart, type FilePart, type StreamedBody } from '@quire/http-server';
import { contentImportApi } from '@quire/internal-api';
import type { TransferDeps } from '../../transfer-deps.js';
import { normaliseEncoding, readExport } from '../export-file/index.js';
import { fileTooLarge, MeasuredFile, noFile, selectUnfinishedImport, toApiError } from '../runs/index.js';
import type { Analysis } from './analysis.schemas.js';
import { ExportAnalysis } from './export-analysis.js';

const maxOverheadBytes = 64 * 1024;

/**
 * Reads an export file and says what it holds, and how its types fit the collections of the site (contract 1.2).
 * Nothing is stored: `importId` is that of an earlier import of the same file which `execute` can resume.
 * @throws QuireError NO_FILE, IMPORT_INVALID_FILE with line and reason, PAYLOAD_TOO_LARGE, SERVICE_UNAVAILABLE
 */
export async function analyzeExport(
  ctx: Context,
  { clients, options }: TransferDeps,
  body: StreamedBody,
): Promise<Analysis> {
  const { maxImportBytes } = options;
  const maxBytes = maxImportBytes + maxOverheadBytes;
  if ((body.contentLength ?? 0) > maxBytes) throw fileTooLarge(maxImportBytes);
  let read: { analysis: ExportAnalysis; fileHash: string } | undefined;
  const readFile = async ({ bytes }: FilePart) => {
    const analysis = new ExportAnalysis();
    const file = new MeasuredFile(bytes);
    try {
      for await (const event of readExport(normaliseEncoding(file))) analysis.add(event);
    } catch (error) {
      throw toApiError(error, options);
    }
    read = { analysis, fileHash: file.hash() };
  };
  await readMultipart(body, { file: readFile }, { maxBytes });
  if (!read) throw noFile();
  const importId = (await selectUnfinishedImport(ctx.db, read.fileHash)) ?? null;
  const targets = await clients.content.call(contentImportApi.getImportTargets, ctx);
  return { ...read.analysis.result(targets), importId };
}
