import type { Context } from '@quire/context';
import { selectOrphans, type OrphanedTable } from '../orphaned-tables.js';

/** Content tables without a collection. */
export async function listOrphanedTables(ctx: Context): Promise<OrphanedTable[]> {
  return ctx.db.transaction((tx) => selectOrphans(tx));
}
