import type { Context } from '@quire/context';
import { notFound } from '@quire/errors';
import { removeArea } from '../widgets.repository.js';

/** Removes a widget area with its widgets (contract 20). @throws QuireError NOT_FOUND. */
export async function deleteArea(ctx: Context, name: string): Promise<{ deleted: true }> {
  if (!(await removeArea(ctx.db, name))) throw notFound('widget area');
  return { deleted: true };
}
