import type { Context } from '@quire/context';
import { findOrphans, type OrphanedTable } from '../tables/orphans.js';

/** Content tables without a collection. */
export async function listOrphans(ctx: Context): Promise<OrphanedTable[]> {
  return ctx.db.transaction((tx) => findOrphans(tx));
}
