import { columnsOf, jsonPairsOf, type Queryable } from '@quire/database';
import { Collection } from '../collections/collection.entity.js';
import type { StoredCollection } from '../collections/collections.repository.js';
import { isCountedTable } from '../content-changes/content-changes.repository.js';
import { Field } from '../fields/field.entity.js';
import type { StoredField } from '../fields/fields.repository.js';
import { contentTableName } from '../tables/content-table.repository.js';

/** A collection with the parts of its definition that every collection has. */
export interface StoredDefinition {
  collection: StoredCollection;
  /** In display order. */
  fields: StoredField[];
  hasSubscribers: boolean;
  isCounted: boolean;
}

type DefinitionRow = StoredCollection & Omit<StoredDefinition, 'collection'>;

const statement = `
  SELECT ${columnsOf(Collection, { of: 'c' })},
    (SELECT coalesce(json_agg(json_build_object(${jsonPairsOf(Field, { of: 'f' })}) ORDER BY f.sort_order, f.slug), '[]')
     FROM fields f WHERE f.collection_id = c.id) AS fields,
    EXISTS (SELECT FROM change_subscriptions s WHERE s.collection_id = c.id) AS "hasSubscribers",
    ${isCountedTable('$2')} AS "isCounted"
  FROM collections c WHERE c.slug = $1`;

/**
 * Reads a collection with its fields in one statement, and so in one state: the first request to a site, and the first
 * job of it in a worker, waits for it.
 * @returns undefined when there is no such collection
 */
export async function selectDefinition(sql: Queryable, slug: string): Promise<StoredDefinition | undefined> {
  const [row] = await sql.query<DefinitionRow>(statement, [slug, contentTableName(slug)]);
  if (!row) return undefined;
  const { fields, hasSubscribers, isCounted, ...collection } = row;
  return { collection, fields, hasSubscribers, isCounted };
}
