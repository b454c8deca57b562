import { createWriteStream, openAsBlob } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import { readMultipart, type StreamedBody } from '@quire/http-server';
import { contentImportApi } from '@quire/internal-api';
import { ImportSourceError, type Analysis, type ImportSource, type SourceInput } from '@quire/import-sources';
import type { TransferDeps } from '../../transfer-deps.js';
import { parseImportConfig } from './import-config.js';
import { fileTooLarge, withNewImport } from './receive-export.js';
import { receiveSource } from './receive-source.js';
import { readSourceInput } from './source-input.js';
import { discardImport } from './receive-export.js';
import { startReceived, type StartedImport } from './start-import.js';

const maxOverheadBytes = 1024 * 1024;

interface SourceForm {
  fields: Record<string, string>;
  input: SourceInput;
}

/**
 * Imports the content of a registered source (contract 7), as `startImport` does with an export file.
 * @throws QuireError the errors of `readSourceInput`, SSRF_BLOCKED, IMPORT_RUNNING, IMPORT_ERROR with the message of
 *   the source
 */
export async function startSourceImport(
  ctx: Context,
  deps: TransferDeps,
  sourceId: string,
  body: StreamedBody,
): Promise<StartedImport> {
  const source = deps.sources.openSource(sourceId);
  return withSourceForm(ctx, deps, source, body, async ({ fields, input }) => {
    const request = parseImportConfig(fields['config']);
    const postTypes = Object.entries(request.postTypeMappings)
      .filter(([, { enabled }]) => enabled)
      .map(([type]) => type);
    const options = { postTypes, includeDrafts: true };
    const received = await withNewImport(ctx, deps, source.id, async (place) => ({
      ...place,
      channel: await receiveSource(ctx, deps, place, { source, input, options, signal: body.signal }),
    }));
    try {
      return { row: await startReceived(ctx, deps, received, request), request };
    } catch (error) {
      await discardImport(ctx, deps, received);
      throw error;
    }
  });
}

/**
 * Analyzes the content of a registered source. Nothing is stored.
 * @throws QuireError the errors of `readSourceInput`, SSRF_BLOCKED, IMPORT_ERROR with the message of the source
 */
export async function analyzeSource(
  ctx: Context,
  deps: TransferDeps,
  sourceId: string,
  body: StreamedBody,
): Promise<Analysis> {
  const source = deps.sources.openSource(sourceId);
  return withSourceForm(ctx, deps, source, body, async ({ input }) => {
    const getExistingCollections = async () => {
      const { collections } = await deps.clients.content.call(contentImportApi.getImportTargets, ctx);
      return new Map(collections.map(({ slug, fields }) => [slug, fields]));
    };
    try {
      return await deps.sources.analyze(source, input, { signal: body.signal, getExistingCollections });
    } catch (error) {
      if (error instanceof ImportSourceError)
        throw new QuireError('IMPORT_ERROR', error.message, { cause: error });
      throw error;
    }
  });
}

/** Reads a form; its file is in a folder of its own until `use` has ended. */
async function withSourceForm<Result>(
  ctx: Context,
  deps: TransferDeps,
  source: ImportSource,
  body: StreamedBody,
  use: (form: SourceForm) => Promise<Result>,
): Promise<Result> {
  const { maxImportBytes } = deps.options;
  const maxBytes = maxImportBytes + maxOverheadBytes;
  if ((body.contentLength ?? 0) > maxBytes) throw fileTooLarge(maxImportBytes);
  const folder = await mkdtemp(join(tmpdir(), 'quire-import-'));
  const path = join(folder, 'file');
  try {
    let hasFile = false;
    const file = async ({ bytes }: { bytes: NodeJS.ReadableStream }) => {
      await pipeline(bytes, createWriteStream(path));
      hasFile = true;
    };
    const fields = await readMultipart(body, { file }, { maxBytes });
    return await use({
      fields,
      input: hasFile
        ? { type: 'file', file: await openAsBlob(path) }
        : await readSourceInput(ctx, deps, source, fields['input']),
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
