import type { Context } from '@quire/context';
import { notFound } from '@quire/errors';
import { deleteAreaRow } from '../widgets.repository.js';

/** Removes a widget area with its widgets (contract 20). @throws QuireError NOT_FOUND. */
export async function deleteWidgetArea(ctx: Context, name: string): Promise<{ deleted: true }> {
  if (!(await deleteAreaRow(ctx.db, name))) throw notFound('widget area');
  return { deleted: true };
}
