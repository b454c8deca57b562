import { identifier, type Queryable } from '@quire/database';
import { sharedSchema } from '@quire/tenancy';
import type { DeletionStep } from '../../deletions/index.js';
import { detachedTableName, dropDetachedTable } from '../tables/detached-table.repository.js';

/** Entries of a step. */
const maxEntries = 200;
/** Rows of each table that a step deletes. */
const maxRows = 1_000;

/** A table whose rows belong to entries. */
interface EntryRows {
  table: string;
  /** The columns of its primary key. */
  key: readonly string[];
  /** The column with the id of the entry, or with its group. */
  owner: string;
  ofGroup?: true;
  condition?: string;
  /** In which rows of an entry are deleted. */
  order?: string;
}

const entryRows: readonly EntryRows[] = [
  { table: 'entry_locks', key: ['entry_id'], owner: 'entry_id' },
  { table: 'import_errors', key: ['entry_id'], owner: 'entry_id' },
  { table: 'revisions', key: ['id'], owner: 'entry_id' },
  {
    table: 'import_records',
    key: ['site', 'source_type', 'source_id'],
    owner: 'target_id',
    condition: `kind = 'entry'`,
  },
  { table: 'entry_bylines', key: ['entry_id', 'byline_group'], owner: 'entry_id' },
  { table: 'entry_terms', key: ['entry_group', 'term_group'], owner: 'entry_group', ofGroup: true },
  // The newest first: the foreign key would delete all replies together with their root.
  { table: 'comments', key: ['id'], owner: 'content_id', order: 'created_at DESC, id DESC' },
  {
    table: `${identifier(sharedSchema('content'))}.schedules`,
    key: ['tenant_id', 'entry_id'],
    owner: 'entry_id',
    condition: 'tenant_id = $2',
  },
];

/**
 * Deletes the rows that belong to entries of a deleted collection, in the order of the ids of the entries. With the
 * last ones its table is dropped.
 */
export const deleteRowsOfEntries: DeletionStep = async (tx, { id, position }, tenantId) => {
  const table = detachedTableName(id);
  const entries = await tx.query<{ id: string; group: string }>(
    `SELECT id, _translation_group AS "group" FROM ${identifier(table)} WHERE id > $1 ORDER BY id LIMIT ${maxEntries}`,
    [position],
  );
  let isFinished = true;
  for (const rows of entryRows) {
    const owners = entries.map((entry) => (rows.ofGroup ? entry.group : entry.id));
    if ((await deleteSome(tx, rows, [...new Set(owners)].sort(), tenantId)) === maxRows) isFinished = false;
  }
  if (!isFinished) return position;
  if (entries.length === maxEntries) return entries.at(-1)?.id;
  await dropDetachedTable(tx, table);
  return undefined;
};

/**
 * Locks the rows in the order of owners and keys, in which others lock them too.
 * @returns how many rows were deleted, at most `maxRows`.
 */
async function deleteSome(
  tx: Queryable,
  { table, key, owner, condition, order }: EntryRows,
  owners: readonly string[],
  tenantId: string,
): Promise<number> {
  const deleted = await tx.query(
    `DELETE FROM ${table} t USING (
       SELECT found.* FROM unnest($1::text[]) AS owners (id) CROSS JOIN LATERAL (
         SELECT ${key.join(', ')} FROM ${table} WHERE ${owner} = owners.id ${condition ? `AND ${condition}` : ''}
         ORDER BY ${order ?? key.join(', ')} LIMIT ${maxRows} FOR UPDATE
       ) found LIMIT ${maxRows}
     ) d WHERE ${key.map((column) => `t.${column} = d.${column}`).join(' AND ')} RETURNING 1`,
    condition?.includes('$2') ? [owners, tenantId] : [owners],
  );
  return deleted.length;
}
