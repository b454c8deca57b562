import { open } from 'node:fs/promises';
import { CommandError, hasCode, messageOf } from '../command-error.js';
import { ConnectionError, type HttpResponse } from '../http/http-client.js';
import { Retries } from '../http/retries.js';
import type { SiteApi } from '../site-api/site-api.js';
import { progressOfBytes } from './byte-progress.js';
import type { ExportDeps } from './follow-export.js';
import type { PartialExport } from './partial-export.js';

const [partialContent, rangeNotSatisfiable] = [206, 416];
const contentRange = /^bytes (\d+)-\d+\/(\d+)$/;

/**
 * Downloads the archive of a complete export. After a broken connection it continues with the next byte; it starts over
 * when the archive has changed (RFC 9110, 13.1.5).
 * @throws CommandError when the disk is full, or the site rejects the request; ConnectionError after several attempts
 */
export async function downloadArchive(deps: ExportDeps, id: string, partial: PartialExport): Promise<void> {
  const retries = new Retries(deps.sleep, deps.signal);
  while (!(await isWhole(partial))) {
    const before = await partial.bytes();
    try {
      await downloadRest(deps, id, partial);
    } catch (error) {
      if ((await partial.bytes()) > before) retries.reset();
      await retries.waitAfter(toDownloadError(error, partial.path));
    }
  }
}

async function isWhole(partial: PartialExport): Promise<boolean> {
  const { archive } = partial.state;
  return archive !== null && (await partial.bytes()) === archive.size;
}

async function downloadRest(deps: ExportDeps, id: string, partial: PartialExport): Promise<void> {
  const { api, signal } = deps;
  const known = partial.state.archive;
  let bytes = await partial.bytes();
  const headers: Record<string, string> =
    known && bytes > 0 ? { range: `bytes=${bytes}-`, 'if-range': known.etag } : {};
  const path = `admin/transfer/exports/${encodeURIComponent(id)}/archive`;
  const response = await api.open(path, { headers, signal }, [rangeNotSatisfiable]);
  bytes = await acceptResponse(deps, response, { partial, bytes });
  const size = partial.state.archive?.size ?? 0;
  const file = await open(partial.path, 'a', 0o600);
  try {
    // Not by a stream, which would lose the bytes that it has not written when the connection breaks.
    for await (const chunk of bodyOf(response, deps.api)) {
      await file.appendFile(chunk);
      bytes += chunk.length;
      deps.output.progress('download', progressOfBytes({ current: bytes, total: size }));
    }
    await file.sync();
  } finally {
    await file.close();
  }
}

/**
 * Stores what the response says about the archive.
 * @returns the place of its first byte: `bytes`, or 0 when the download starts over
 * @throws ConnectionError for a response that does not fit to the bytes so far, which are deleted
 */
async function acceptResponse(
  { output }: ExportDeps,
  response: HttpResponse,
  { partial, bytes }: { partial: PartialExport; bytes: number },
): Promise<number> {
  const { statusCode, headers } = response;
  const etag = String(headers.etag ?? '');
  if (statusCode === partialContent) {
    const [, start, size] = contentRange.exec(String(headers['content-range'] ?? '')) ?? [];
    const { archive } = partial.state;
    if (Number(start) === bytes && Number(size) === archive?.size && etag === archive.etag) return bytes;
  }
  if (statusCode === partialContent || statusCode === rangeNotSatisfiable) {
    await response.body.dump();
    await partial.restartDownload();
    throw new ConnectionError('The site has sent another part of the archive than the requested one');
  }
  const size = Number(headers['content-length'] ?? NaN);
  if (!Number.isSafeInteger(size) || !isStrong(etag))
    throw new CommandError('The site sends the archive without its size or entity tag');
  if (bytes > 0) output.note('The archive has changed; the download starts over');
  await partial.restartDownload();
  await partial.save({ archive: { etag, size } });
  return 0;
}

/** Only a strong entity tag identifies bytes (RFC 9110, 8.8.1). */
function isStrong(etag: string): boolean {
  return etag.startsWith('"');
}

/** The bytes of the response. @throws ConnectionError when it breaks off */
async function* bodyOf({ body }: HttpResponse, { origin }: SiteApi): AsyncGenerator<Buffer> {
  try {
    yield* body as AsyncIterable<Buffer>;
  } catch (error) {
    throw new ConnectionError(`The connection to ${origin} broke: run the same command again to continue`, {
      cause: error,
    });
  }
}

function toDownloadError(error: unknown, path: string): unknown {
  if (error instanceof CommandError) return error;
  if (hasCode(error, 'ENOSPC') || hasCode(error, 'EDQUOT'))
    return new CommandError('The disk is full: make space, then run the same command again to continue', {
      cause: error,
    });
  return new CommandError(`${path} cannot be written: ${messageOf(error)}`, { cause: error });
}
