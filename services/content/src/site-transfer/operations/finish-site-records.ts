import type { Context } from '@quire/context';
import { identifier, tableOf } from '@quire/database';
import { Comment } from '../../comments/index.js';
import { Revision } from '../../entries/revisions/index.js';
import { insertMissingSchedules } from '../../entries/scheduling/index.js';
import { subscribeNewCollection } from '../../integration/change-subscriptions/index.js';
import {
  bumpCollectionVersions,
  contentTableName,
  lockTable,
  ReferenceLink,
  selectRegisteredCollections,
  type SchemaChanges,
} from '../../schema/index.js';
import { EntryTerm } from '../../taxonomies/terms/index.js';

/** Of one statement: it may read all entries of a collection. */
const statementTimeout = '10min';

/** Large tables, whose statistics decide how the database reads them. */
const largeTables = [Revision, EntryTerm, ReferenceLink, Comment].map(tableOf);

/**
 * Brings up to date what derives from written records: the subscriptions of other services to the collections, the
 * schedules of entries, the definitions in all processes, and the statistics of the database. A repetition is harmless.
 */
export async function finishSiteRecords(ctx: Context, changes: SchemaChanges): Promise<Record<never, never>> {
  const collections = await selectRegisteredCollections(ctx.db);
  for (const collection of collections) await finishCollection(ctx, changes, collection);
  await changes.run(ctx, (tx) => bumpCollectionVersions(tx));
  const tables = [...collections.map(({ slug }) => contentTableName(slug)), ...largeTables];
  for (const table of tables) await ctx.db.query(`ANALYZE ${identifier(table)}`);
  return {};
}

/**
 * Subscribes the services that subscribe to new collections, and sends all subscribers the message of a change: they
 * read the entries page by page. Schedules an entry's publication as `scheduleContent` does; one that is due is
 * published by the runner of missed schedules.
 */
async function finishCollection(
  ctx: Context,
  changes: SchemaChanges,
  { id, slug }: { id: string; slug: string },
): Promise<void> {
  const tenantId = ctx.principal.tenant.id;
  const table = contentTableName(slug);
  await changes.run(ctx, async (tx) => {
    await tx.query(`SET LOCAL statement_timeout = '${statementTimeout}'`);
    // Creating triggers after a weaker lock could deadlock with a reader that goes on to write.
    await lockTable(tx, table, 'ACCESS EXCLUSIVE');
    await subscribeNewCollection(tx, { tenantId, id, slug, table });
    await insertMissingSchedules(tx, { tenantId, collection: slug, table });
  });
}
