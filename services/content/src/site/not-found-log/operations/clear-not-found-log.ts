import type { Context } from '@quire/context';
import type { NotFoundRecorder } from '../not-found-recorder.js';
import { deleteLogEntries } from '../not-found.repository.js';

/** Empties the log, with what this process has yet to write; redirects stay (spec document 1, Redirects). */
export async function clearNotFoundLog(
  ctx: Context,
  recorder: NotFoundRecorder,
): Promise<{ deleted: number }> {
  recorder.discard(ctx);
  return { deleted: await deleteLogEntries({ db: ctx.db, tenantId: ctx.principal.tenant.id }) };
}
