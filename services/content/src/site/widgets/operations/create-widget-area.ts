import type { Context } from '@quire/context';
import { insertArea } from '../widgets.repository.js';
import type { WidgetAreaResponse, AreaInput } from '../widgets.schemas.js';

/** Makes an empty widget area (contract 20). @throws QuireError CONFLICT when the name is taken. */
export async function createWidgetArea(ctx: Context, input: AreaInput): Promise<WidgetAreaResponse> {
  return insertArea(ctx.db, input);
}
