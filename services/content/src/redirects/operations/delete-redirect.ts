import type { Context } from '@quire/context';
import { notFound } from '@quire/errors';
import { removeRedirect } from '../redirects.repository.js';

/** Deletes a rule. @throws QuireError NOT_FOUND. */
export async function deleteRedirect(ctx: Context, id: string): Promise<{ deleted: true }> {
  if (!(await removeRedirect(ctx.db, id))) throw notFound('redirect');
  return { deleted: true };
}
