import { validationMessages, type ReferenceUse, type ValueIssue } from '@quire/content-model';
import type { Queryable } from '@quire/database';
import { contentTableName } from '../../schema/index.js';
import type { EntryValues } from '../entry-row.js';
import { collectionExists, selectExistingIds } from './references.repository.js';

/**
 * @param uses the ids that `validateValues` found in plain reference fields
 * @param stored the values before the write: a stored id stays valid after the deletion of its entry
 * @returns an issue for each id that names no entry of the field's `options.collection` outside of the trash (contract
 *   6, Content values).
 */
export async function missingTargets(
  sql: Queryable,
  uses: readonly ReferenceUse[],
  stored: EntryValues = {},
): Promise<ValueIssue[]> {
  const issues: ValueIssue[] = [];
  for (const { path, collection, ids } of uses) {
    const storedIds = new Set([stored[path]].flat());
    const newIds = ids.filter((id) => !storedIds.has(id));
    const known = await knownIds(sql, collection, newIds);
    for (const id of newIds)
      if (!known.has(id)) issues.push({ path, ...validationMessages.target(id, collection) });
  }
  return issues;
}

async function knownIds(sql: Queryable, collection: string, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  if (!(await collectionExists(sql, collection))) return new Set();
  return selectExistingIds(sql, contentTableName(collection), ids);
}
