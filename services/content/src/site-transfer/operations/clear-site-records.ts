import type { Context } from '@quire/context';
import { identifier, literal, type Transaction } from '@quire/database';
import { QuireError } from '@quire/errors';
import { recordKinds } from '@quire/site-package';
import { schedulesTable } from '../../entries/index.js';
import {
  bumpCollectionVersions,
  deleteCollection,
  dropDetachedTable,
  lockTable,
  selectDetachedTables,
  selectRegisteredCollections,
  type SchemaChanges,
} from '../../schema/index.js';
import { settingKeys } from '../../site/settings/index.js';
import { writtenKinds } from '../writing/record-writers.js';

/** A call drops tables of entries for so long. */
const timeBudgetMs = 20_000;

/** Kinds whose table is not emptied as a whole. */
const otherKinds: readonly string[] = ['settings', 'collections', 'fields', 'entries'];

/**
 * Tables whose rows name records: deletions that are not finished, edit leases, and what earlier imports of other
 * systems know of their objects.
 */
const referringTables = ['deletions', 'entry_locks', 'import_errors', 'import_records'];

/** In the order in which exports read them: an export that runs cannot deadlock with this. */
export const emptiedTables: readonly string[] = [
  ...recordKinds.filter((kind) => writtenKinds.includes(kind) && !otherKinds.includes(kind)),
  ...referringTables,
];

/**
 * Deletes all records of this service, with what refers to them: the site is then as a new one without a seed. Other
 * settings than those of the API stay. The first call empties all tables but those of collections, which are dropped
 * until the time of a call is used. A repetition continues.
 * @returns whether nothing is left
 * @throws QuireError SERVICE_UNAVAILABLE while others keep the tables locked; a repetition continues
 */
export async function clearSiteRecords(
  ctx: Context,
  changes: SchemaChanges,
): Promise<{ isComplete: boolean }> {
  const end = Date.now() + timeBudgetMs;
  await changes.run(ctx, (tx) => emptyTables(tx, ctx.principal.tenant.id));
  for (const { slug } of await selectRegisteredCollections(ctx.db)) {
    if (Date.now() > end) return { isComplete: false };
    await deleteIfExists(ctx, changes, slug);
  }
  return { isComplete: await dropDetachedTables(ctx, changes, end) };
}

/**
 * Ends the deletions of collections, whose rows are deleted already: a later step would delete the rows of imported
 * entries that have the same ids.
 * @returns whether no table is left
 */
async function dropDetachedTables(ctx: Context, changes: SchemaChanges, end: number): Promise<boolean> {
  for (const table of await selectDetachedTables(ctx.db)) {
    if (Date.now() > end) return false;
    await changes.run(ctx, async (tx) => {
      await tx.query('DELETE FROM deletions');
      await dropDetachedTable(tx, table);
    });
  }
  return true;
}

/**
 * Empties the tables at once, however large they are. To the snapshot of an export that has begun they would be empty
 * too: the lock waits for one that reads, and the new versions make one that begins fail.
 */
async function emptyTables(tx: Transaction, tenantId: string): Promise<void> {
  await lockTable(tx, 'collections', 'ACCESS EXCLUSIVE');
  await bumpCollectionVersions(tx);
  await tx.query(`TRUNCATE ${emptiedTables.map(identifier).join(', ')}`);
  await tx.query(`DELETE FROM ${schedulesTable} WHERE tenant_id = $1`, [tenantId]);
  await tx.query(`DELETE FROM settings WHERE key IN (${settingKeys.map(literal).join(', ')})`);
}

/** Another process may take the same step. */
async function deleteIfExists(ctx: Context, changes: SchemaChanges, slug: string): Promise<void> {
  try {
    await deleteCollection(ctx, changes, { slug, force: true });
  } catch (error) {
    if (!(error instanceof QuireError) || error.code !== 'COLLECTION_NOT_FOUND') throw error;
  }
}
