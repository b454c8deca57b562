import type { Context } from '@quire/context';
import { hasSqlState, sqlState, type Transaction } from '@quire/database';
import { QuireError } from '@quire/errors';
import { Collection, collectionNotFound, Field, fieldDefinition } from '../../schema/index.js';
import { countSearched, nextSearchVersion, selectSearched } from '../search-documents.repository.js';
import type { SearchDocuments, SearchDocumentsQuestion } from '../search-documents.schemas.js';
import { searchShape } from '../search-shape.js';
import { viewsOf } from '../search-views.js';

const maximumAttempts = 3;

/**
 * What can be found of a collection's entries, of some or of a page of all, for the search service to keep.
 *
 * The number is drawn in a statement of its own before the snapshot of the entries is taken. Whoever is told of a change asks
 * after its commit, and so draws a number after it: an answer with that number or a greater one shows the change, because its
 * snapshot was taken later still. Of any two answers about an entry the one with the greater number may therefore win.
 *
 * Definitions are read beside the entries and not from the process's cache, which may be behind the message that one answers.
 * @throws QuireError COLLECTION_NOT_FOUND, SERVICE_UNAVAILABLE when the collection changes again and again.
 */
export async function getSearchDocuments(
  ctx: Context,
  question: SearchDocumentsQuestion,
): Promise<SearchDocuments> {
  for (let attempt = 1; ; attempt += 1) {
    const version = await nextSearchVersion(ctx.db);
    try {
      return { version, ...(await ctx.db.transaction((tx) => read(tx, question))) };
    } catch (error) {
      // A snapshot sees the definitions of its moment, but a table as it is now.
      if (!hasSqlState(error, sqlState.undefinedTable, sqlState.undefinedColumn)) throw error;
      if (attempt === maximumAttempts) throw isChanging();
    }
  }
}

async function read(
  tx: Transaction,
  question: SearchDocumentsQuestion,
): Promise<Omit<SearchDocuments, 'version'>> {
  await tx.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY');
  const collection = await tx.repository(Collection).findOneBy({ slug: question.collection });
  if (!collection) throw collectionNotFound(question.collection);
  const { id, slug, hidden, titleField } = collection;
  const stored = await tx
    .repository(Field)
    .find({ where: { collectionId: id }, order: { sortOrder: 'ASC', slug: 'ASC' } });
  const shape = searchShape(titleField, stored.map(fieldDefinition));
  const fields = shape.title ? [shape.title, ...shape.searchable] : shape.searchable;
  const { rows, left } = await selectSearched(tx, slug, fields, question);
  const answer = {
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
  if (!('ids' in question)) return { ...answer, removed: [], left: [] };
  const found = new Set([...rows.map((row) => row.id), ...left]);
  const removed = question.ids.filter((asked) => !found.has(asked));
  return {
    ...answer,
    removed,
    left,
    ...(question.counts ? { counts: await countSearched(tx, slug) } : {}),
  };
}

function isChanging(): QuireError {
  return new QuireError('SERVICE_UNAVAILABLE', 'The collection is being changed; try again shortly', {
    retryAfterSeconds: 1,
  });
}
