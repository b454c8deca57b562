import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import { insertWidget, lockArea, selectWidgetIds } from '../widgets.repository.js';
import { maxWidgets, type WidgetResponse, type WidgetInput } from '../widgets.schemas.js';

/**
 * Adds a widget at the end of an area (contract 20).
 * @throws QuireError NOT_FOUND (area), VALIDATION_ERROR when the area is full.
 */
export async function createWidget(ctx: Context, area: string, input: WidgetInput): Promise<WidgetResponse> {
  return ctx.db.transaction(async (tx) => {
    const areaId = await lockArea(tx, area);
    if ((await selectWidgetIds(tx, areaId)).length >= maxWidgets) {
      throw new QuireError('VALIDATION_ERROR', `An area holds at most ${maxWidgets} widgets`);
    }
    return insertWidget(tx, areaId, input);
  });
}
