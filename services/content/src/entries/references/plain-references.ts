import { validationMessages, type ReferenceUse, type ValueIssue } from '@quire/content-model';
import { identifier, type Queryable } from '@quire/database';
import { contentTableName } from '../../schema/index.js';
import type { EntryValues } from '../entry-row.js';

/**
 * Ids in plain reference fields that name no entry of the collection which the field's `options.collection` names;
 * trashed entries count as none (contract 6, Content values).
 * @param uses the ids that `validateValues` found
 * @param stored the values before the write: an id that its field holds already stays, whatever became of its entry
 */
export async function missingTargets(
  sql: Queryable,
  uses: readonly ReferenceUse[],
  stored: EntryValues = {},
): Promise<ValueIssue[]> {
  const issues: ValueIssue[] = [];
  for (const { path, collection, ids } of uses) {
    const storedIds = new Set([stored[path]].flat());
    const sent = ids.filter((id) => !storedIds.has(id));
    const known = await knownIds(sql, collection, sent);
    for (const id of sent)
      if (!known.has(id)) issues.push({ path, ...validationMessages.target(id, collection) });
  }
  return issues;
}

async function knownIds(sql: Queryable, collection: string, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const [isThere] = await sql.query('SELECT 1 FROM collections WHERE slug = $1', [collection]);
  if (!isThere) return new Set();
  const rows = await sql.query<{ id: string }>(
    `SELECT id FROM ${identifier(contentTableName(collection))} WHERE id = ANY($1) AND deleted_at IS NULL`,
    [ids],
  );
  return new Set(rows.map(({ id }) => id));
}
