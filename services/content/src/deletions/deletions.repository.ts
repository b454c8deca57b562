import { columnsOf, identifier, type Queryable, type Row } from '@quire/database';
import { sharedSchema } from '@quire/tenancy';
import { defineWorkTable, exponentialBackoff, type ClaimOf } from '@quire/work-queue';
import { Deletion } from './deletion.entity.js';

export type DeletionKey = Pick<Row<Deletion>, 'kind' | 'id'>;

/** Sites with deletions that are not finished. `attempts` is the version: a new deletion keeps its site due. */
export const deletionWork = defineWorkTable<{ tenantId: string }, Record<never, never>>({
  name: `${identifier(sharedSchema('content'))}.deletion_work`,
  key: { tenantId: 'tenant_id' },
  payload: {},
  version: 'attempts',
  leaseSeconds: 60,
  backoff: exponentialBackoff({ initialSeconds: 10, maxSeconds: 600 }),
});

/** A site that a runner has claimed. */
export type ClaimedDeletions = ClaimOf<typeof deletionWork>;

const columns = columnsOf(Deletion);

export async function insertDeletion(tx: Queryable, deletion: Row<Deletion>): Promise<void> {
  const { kind, id, collection, field, position } = deletion;
  await tx.query(
    `INSERT INTO deletions (kind, id, collection, field, position) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (kind, id) DO UPDATE SET position = excluded.position`,
    [kind, id, collection, field, position],
  );
}

/** @returns the keys of all deletions of the site. */
export function selectDeletions(sql: Queryable): Promise<DeletionKey[]> {
  return sql.query<DeletionKey>('SELECT kind, id FROM deletions ORDER BY kind, id');
}

/** Locks a deletion until the transaction ends. @returns undefined when it is finished */
export async function lockDeletion(
  tx: Queryable,
  { kind, id }: DeletionKey,
): Promise<Row<Deletion> | undefined> {
  const [deletion] = await tx.query<Row<Deletion>>(
    `SELECT ${columns} FROM deletions WHERE kind = $1 AND id = $2 FOR UPDATE`,
    [kind, id],
  );
  return deletion;
}

export async function updatePosition(
  tx: Queryable,
  { kind, id }: DeletionKey,
  position: string,
): Promise<void> {
  await tx.query('UPDATE deletions SET position = $3 WHERE kind = $1 AND id = $2', [kind, id, position]);
}

export async function deleteDeletion(tx: Queryable, { kind, id }: DeletionKey): Promise<void> {
  await tx.query('DELETE FROM deletions WHERE kind = $1 AND id = $2', [kind, id]);
}

/** Ends the deletions of a collection's fields: its revisions are deleted as a whole. */
export async function deleteFieldDeletions(tx: Queryable, collection: string): Promise<void> {
  await tx.query(`DELETE FROM deletions WHERE kind = 'field' AND collection = $1`, [collection]);
}

export async function isBeingDeleted(sql: Queryable, { kind, id }: DeletionKey): Promise<boolean> {
  return (await sql.query('SELECT 1 FROM deletions WHERE kind = $1 AND id = $2', [kind, id])).length > 0;
}

/**
 * SQL condition: this id is not that of an entry of a deleted collection. The tables of deleted collections inherit
 * from `deleted_entries`, which has no rows of its own.
 */
export function isNotOfDeletedEntry(id: string): string {
  return `NOT EXISTS (SELECT FROM deleted_entries gone WHERE gone.id = ${id})`;
}

/** SQL of the slugs of the deleted fields whose values are still in revisions of a collection. */
export function deletedFieldsOf(collection: string): string {
  return `SELECT gone.field FROM deletions gone WHERE gone.kind = 'field' AND gone.collection = ${collection}`;
}

/** Makes the deletions of a site due if they are not. @returns 1 if they were not, else 0 */
export async function repairDeletionWork(tx: Queryable, tenantId: string): Promise<number> {
  const [missing] = await tx.query(
    `SELECT FROM deletions WHERE NOT EXISTS (
       SELECT FROM ${deletionWork.definition.name} w WHERE w.tenant_id = $1) LIMIT 1`,
    [tenantId],
  );
  if (!missing) return 0;
  await deletionWork.enqueue(tx, [{ tenantId }]);
  return 1;
}
