import type { Context } from '@quire/context';
import { notFound } from '@quire/errors';
import { selectAreas } from '../widgets.repository.js';
import type { AreaWithWidgets } from '../widgets.schemas.js';

/** One widget area with its widgets in order (contract 20). @throws QuireError NOT_FOUND. */
export async function getWidgetArea(ctx: Context, name: string): Promise<AreaWithWidgets> {
  const [area] = await selectAreas(ctx.db, name);
  if (!area) throw notFound('widget area');
  return area;
}
