import { Readable } from 'node:stream';
import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import {
  ImportSourceError,
  type ContentOptions,
  type ImportSource,
  type SourceInput,
} from '@quire/import-sources';
import type { TransferDeps } from '../../transfer-deps.js';
import { SourceItemIndex } from '../sources/index.js';
import { insertItems, type NewItem } from './import-items.repository.js';
import { emptyChannel, type ImportChannel } from './import-state.js';

const batchSize = 500;

/** A source with its input and the selection of its items. */
export interface SourceRequest {
  source: ImportSource;
  input: SourceInput;
  options: ContentOptions;
  signal: AbortSignal;
}

/**
 * Stores the items of a source as lines of JSON, and indexes them: from then on the import runs like that of a file,
 * and needs the source no more.
 * @returns what is known of the source as a whole
 * @throws QuireError IMPORT_ERROR with the message of the source, SSRF_BLOCKED; errors of the store
 */
export async function receiveSource(
  ctx: Context,
  { sources, store, options: { maxImportBytes } }: TransferDeps,
  { importId, fileKey }: { importId: string; fileKey: string },
  { source, input, options, signal }: SourceRequest,
): Promise<ImportChannel> {
  const index = new SourceItemIndex();
  let rows: NewItem[] = [];
  const lines = async function* () {
    for await (const entry of sources.fetchItems(source, input, options, signal)) {
      const { bytes, rows: added } = index.add(entry);
      rows.push(...added);
      if (rows.length >= batchSize) {
        await insertItems(ctx.db, importId, rows);
        rows = [];
      }
      if (bytes.length > 0) yield bytes;
    }
    await insertItems(ctx.db, importId, rows);
  };
  try {
    await store.put(fileKey, Readable.from(lines()), {
      contentType: 'application/x-ndjson',
      maxBytes: maxImportBytes,
      signal,
    });
  } catch (error) {
    if (error instanceof ImportSourceError)
      throw new QuireError('IMPORT_ERROR', error.message, { cause: error });
    throw error;
  }
  const siteUrl = input.type === 'file' ? source.id : input.url;
  return { ...emptyChannel, siteUrl, title: source.name, taxonomies: index.taxonomies };
}
