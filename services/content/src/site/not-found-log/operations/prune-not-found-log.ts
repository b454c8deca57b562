import type { Context } from '@quire/context';
import { deleteLogEntries } from '../not-found.repository.js';

/** Deletes the paths that were last asked for before an instant; redirects stay (spec document 1, Redirects). */
export async function pruneNotFoundLog(ctx: Context, olderThan: string): Promise<{ deleted: number }> {
  return { deleted: await deleteLogEntries({ db: ctx.db, tenantId: ctx.principal.tenant.id }, olderThan) };
}
