import type { Context } from '@quire/context';
import { invalidInput, type Issue } from '@quire/errors';
import { lockArea, updateWidgetOrder, selectWidgetIds } from '../widgets.repository.js';

/**
 * Puts an area's widgets into the order of their ids; those left out keep their place number (contract 20).
 * @throws QuireError NOT_FOUND (area), VALIDATION_ERROR for an id that is not of this area or stands there twice.
 */
export async function reorderWidgets(
  ctx: Context,
  area: string,
  ids: readonly string[],
): Promise<{ success: true }> {
  return ctx.db.transaction(async (tx) => {
    const areaId = await lockArea(tx, area);
    const issues = orderIssues(ids, new Set(await selectWidgetIds(tx, areaId)));
    if (issues.length > 0) throw invalidInput(issues);
    await updateWidgetOrder(tx, areaId, ids);
    return { success: true };
  });
}

function orderIssues(ids: readonly string[], known: ReadonlySet<string>): Issue[] {
  return ids.flatMap((id, index) => {
    const path = `widgetIds.${index}`;
    if (!known.has(id)) return [{ path, message: 'is not a widget of this area' }];
    return ids.indexOf(id) < index ? [{ path, message: 'is listed twice' }] : [];
  });
}
