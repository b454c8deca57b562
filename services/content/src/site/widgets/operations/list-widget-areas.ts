import type { Context } from '@quire/context';
import { selectAreas } from '../widgets.repository.js';
import type { AreaListItem } from '../widgets.schemas.js';

/** Every widget area with its widgets, by name (contract 20). */
export async function listWidgetAreas(ctx: Context): Promise<AreaListItem[]> {
  return (await selectAreas(ctx.db)).map((area) => ({ ...area, widgetCount: area.widgets.length }));
}
