import { isRelationField, type FieldDefinition } from '@quire/content-model';
import type { Queryable, Transaction } from '@quire/database';
import { selectAllFields, selectRegisteredCollections } from '../schema/index.js';

/** A collection whose entries are copied. */
export interface CopiedCollection {
  slug: string;
  /** The fields with a column, in display order. */
  columns: readonly FieldDefinition[];
}

/**
 * Keeps the schema from being changed until the transaction ends, and returns the collections. The tables of entries
 * must not change below the snapshot of a transaction: after some changes of a table, older snapshots see it empty.
 * @throws the database's error `sqlState.serialization` when a collection has changed since the snapshot
 */
export async function lockCollections(tx: Transaction): Promise<CopiedCollection[]> {
  const collections = await tx.query<Registered>('SELECT id, slug FROM collections ORDER BY id FOR SHARE');
  return withColumns(tx, collections);
}

/** @returns the collections of the site, which other transactions may change. */
export async function selectCopiedCollections(sql: Queryable): Promise<CopiedCollection[]> {
  return withColumns(sql, await selectRegisteredCollections(sql));
}

interface Registered {
  id: string;
  slug: string;
}

async function withColumns(sql: Queryable, collections: readonly Registered[]): Promise<CopiedCollection[]> {
  const fields = await selectAllFields(sql);
  return collections.map(({ id, slug }) => ({
    slug,
    columns: fields.filter((field) => field.collectionId === id && !isRelationField(field)),
  }));
}
