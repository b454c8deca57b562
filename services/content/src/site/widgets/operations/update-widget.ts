import type { Context } from '@quire/context';
import { notFound } from '@quire/errors';
import { lockArea, updateWidgetRow } from '../widgets.repository.js';
import type { WidgetResponse, WidgetUpdate } from '../widgets.schemas.js';

/**
 * Changes what is sent of a widget; empty texts clear (contract 20).
 * @throws QuireError NOT_FOUND for an unknown area, or a widget that is not of this area.
 */
export async function updateWidget(
  ctx: Context,
  { name, id }: { name: string; id: string },
  change: WidgetUpdate,
): Promise<WidgetResponse> {
  return ctx.db.transaction(async (tx) => {
    const widget = await updateWidgetRow(tx, await lockArea(tx, name), id, change);
    if (!widget) throw notFound('widget');
    return widget;
  });
}
