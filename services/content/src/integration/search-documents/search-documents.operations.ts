import type { Context } from '@quire/context';
import { beginSnapshot, hasSqlState, sqlState, type Transaction } from '@quire/database';
import { QuireError } from '@quire/errors';
import type { contentApi } from '@quire/internal-api';
import { collectionNotFound, fieldDefinition, selectCollection, selectFields } from '../../schema/index.js';
import { countSearchRows, nextSearchVersion, selectSearchRows } from './search-documents.repository.js';
import { searchShape } from './search-shape.js';
import { viewsOf } from './search-views.js';

const maxAttempts = 3;

/**
 * The searchable text of a collection's entries, of some or of a page of all, for the search service to index.
 *
 * The version is drawn in a statement of its own before the snapshot of the entries is taken. A request that a change
 * causes comes after the commit of the change, and so draws its version after it: a response with that version or a
 * greater one contains the change, because its snapshot is later still. Of two responses about an entry, the one with
 * the greater version is therefore the newer one.
 *
 * Definitions are read in the same snapshot and not from the process's cache, which may be older than the message that
 * caused the request.
 * @throws QuireError COLLECTION_NOT_FOUND, SERVICE_UNAVAILABLE when the collection keeps changing.
 */
export async function getSearchDocuments(
  ctx: Context,
  request: contentApi.SearchDocumentsRequest,
): Promise<contentApi.SearchDocuments> {
  for (let attempt = 1; ; attempt += 1) {
    const version = await nextSearchVersion(ctx.db);
    try {
      return { version, ...(await ctx.db.transaction((tx) => read(tx, request))) };
    } catch (error) {
      // The snapshot has former definitions, but statements run on the present columns.
      if (!hasSqlState(error, sqlState.undefinedTable, sqlState.undefinedColumn)) throw error;
      if (attempt === maxAttempts) throw collectionBusyError();
    }
  }
}

async function read(
  tx: Transaction,
  request: contentApi.SearchDocumentsRequest,
): Promise<Omit<contentApi.SearchDocuments, 'version'>> {
  await beginSnapshot(tx);
  const collection = await selectCollection(tx, request.collection);
  if (!collection) throw collectionNotFound(request.collection);
  const { id, slug, hidden, titleField } = collection;
  const stored = await selectFields(tx, id);
  const shape = searchShape(titleField, stored.map(fieldDefinition));
  const fields = shape.title ? [shape.title, ...shape.searchable] : shape.searchable;
  const { rows, left } = await selectSearchRows(tx, slug, fields, request);
  const response = {
    collection: {
      id,
      slug,
      hidden,
      titleField: shape.title?.slug ?? null,
      fields: shape.searchable.map((field) => field.slug),
      fingerprint: shape.fingerprint,
    },
    documents: rows.map((row) => ({ id: row.id, locale: row._locale, views: viewsOf(row, shape) })),
  };
  if (!('ids' in request)) return { ...response, removed: [], left: [] };
  const found = new Set([...rows.map((row) => row.id), ...left]);
  const removed = request.ids.filter((requested) => !found.has(requested));
  return {
    ...response,
    removed,
    left,
    ...(request.counts ? { counts: await countSearchRows(tx, slug) } : {}),
  };
}

function collectionBusyError(): QuireError {
  return new QuireError('SERVICE_UNAVAILABLE', 'The collection is being changed. Retry later.', {
    retryAfterSeconds: 1,
  });
}
