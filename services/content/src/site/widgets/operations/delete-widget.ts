import type { Context } from '@quire/context';
import { notFound } from '@quire/errors';
import { lockArea, deleteWidgetRow } from '../widgets.repository.js';

/** Removes a widget (contract 20). @throws QuireError NOT_FOUND for an unknown area, or a widget that is not of it. */
export async function deleteWidget(
  ctx: Context,
  { name, id }: { name: string; id: string },
): Promise<{ deleted: true }> {
  return ctx.db.transaction(async (tx) => {
    if (!(await deleteWidgetRow(tx, await lockArea(tx, name), id))) throw notFound('widget');
    return { deleted: true };
  });
}
