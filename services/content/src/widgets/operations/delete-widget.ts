import type { Context } from '@quire/context';
import { notFound } from '@quire/errors';
import { holdArea, removeWidget } from '../widgets.repository.js';

/** Removes a widget (contract 20). @throws QuireError NOT_FOUND for an unknown area, or a widget that is not of it. */
export async function deleteWidget(
  ctx: Context,
  { name, id }: { name: string; id: string },
): Promise<{ deleted: true }> {
  return ctx.db.transaction(async (tx) => {
    if (!(await removeWidget(tx, await holdArea(tx, name), id))) throw notFound('widget');
    return { deleted: true };
  });
}
