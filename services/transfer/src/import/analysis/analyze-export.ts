import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import { readMultipart, type FilePart, type StreamedBody } from '@quire/http-server';
import { contentImportApi } from '@quire/internal-api';
import type { TransferDeps } from '../../transfer-deps.js';
import { normaliseEncoding, readExport } from '../export-file/index.js';
import { fileTooLarge, toApiError } from '../runs/index.js';
import type { Analysis } from './analysis.schemas.js';
import { ExportAnalysis } from './export-analysis.js';

const maxOverheadBytes = 64 * 1024;

/**
 * Reads an export file and says what it holds, and how its types fit the collections of the site (contract 1.2).
 * Nothing is stored.
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
  let analysis: ExportAnalysis | undefined;
  const read = async ({ bytes }: FilePart) => {
    const started = new ExportAnalysis();
    try {
      for await (const event of readExport(normaliseEncoding(bytes))) started.add(event);
    } catch (error) {
      throw toApiError(error, options);
    }
    analysis = started;
  };
  await readMultipart(body, { file: read }, { maxBytes });
  if (!analysis) throw new QuireError('NO_FILE', 'The form must contain an export file in the field "file"');
  return analysis.result(await clients.content.call(contentImportApi.getImportTargets, ctx));
}
