import { audit } from '@quire/audit';
import type { Context } from '@quire/context';
import { notFound } from '@quire/errors';
import { deleteRedirectRow } from '../redirects.repository.js';

/** Deletes a rule. @throws QuireError NOT_FOUND. */
export async function deleteRedirect(ctx: Context, id: string): Promise<{ deleted: true }> {
  await ctx.db.transaction(async (tx) => {
    if (!(await deleteRedirectRow(tx, id))) throw notFound('redirect');
    await audit(ctx, tx, { action: 'redirect.deleted', target: { type: 'redirect', id } });
  });
  return { deleted: true };
}
