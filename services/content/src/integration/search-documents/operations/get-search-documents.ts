import type { Context } from '@quire/context';
import { hasSqlState, sqlState, type Transaction } from '@quire/database';
import { QuireError } from '@quire/errors';
import { Collection, collectionNotFound, Field, fieldDefinition } from '../../../schema/index.js';
import { countSearchRows, nextSearchVersion, selectSearchRows } from '../search-documents.repository.js';
import type { SearchDocuments, SearchDocumentsRequest } from '../search-documents.schemas.js';
import { searchShape } from '../search-shape.js';
import { viewsOf } from '../search-views.js';

const maxAttempts = 3;

/**
 * What can be found of a collection's entries, of some or of a page of all, for the search service to keep.
 *
 * The number is drawn in a statement of its own before the snapshot of the entries is taken. Whoever is told of a
 * change asks after its commit, and so draws a number after it: an response with that number or a greater one shows the
 * change, because its snapshot was taken later still. Of any two answers about an entry the one with the greater number
 * may therefore win.
 *
 * Definitions are read beside the entries and not from the process's cache, which may be behind the message that one
 * answers.
 * @throws QuireError COLLECTION_NOT_FOUND, SERVICE_UNAVAILABLE when the collection changes again and again.
 */
export async function getSearchDocuments(
  ctx: Context,
  request: SearchDocumentsRequest,
): Promise<SearchDocuments> {
  for (let attempt = 1; ; attempt += 1) {
    const version = await nextSearchVersion(ctx.db);
    try {
      return { version, ...(await ctx.db.transaction((tx) => read(tx, request))) };
    } catch (error) {
      // A snapshot sees the definitions of its moment, but a table as it is now.
      if (!hasSqlState(error, sqlState.undefinedTable, sqlState.undefinedColumn)) throw error;
      if (attempt === maxAttempts) throw collectionBusyError();
    }
  }
}

async function read(
  tx: Transaction,
  request: SearchDocumentsRequest,
): Promise<Omit<SearchDocuments, 'version'>> {
  await tx.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY');
  const collection = await tx.repository(Collection).findOneBy({ slug: request.collection });
  if (!collection) throw collectionNotFound(request.collection);
  const { id, slug, hidden, titleField } = collection;
  const stored = await tx
    .repository(Field)
    .find({ where: { collectionId: id }, order: { sortOrder: 'ASC', slug: 'ASC' } });
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
