import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import { appendWidget, holdArea, widgetIdsOf } from '../widgets.repository.js';
import { maximumWidgets, type WidgetAnswer, type WidgetInput } from '../widgets.schemas.js';

/**
 * Adds a widget at the end of an area (contract 20).
 * @throws QuireError NOT_FOUND (area), VALIDATION_ERROR when the area is full.
 */
export async function createWidget(ctx: Context, area: string, input: WidgetInput): Promise<WidgetAnswer> {
  return ctx.db.transaction(async (tx) => {
    const areaId = await holdArea(tx, area);
    if ((await widgetIdsOf(tx, areaId)).length >= maximumWidgets) {
      throw new QuireError('VALIDATION_ERROR', `An area holds at most ${maximumWidgets} widgets`);
    }
    return appendWidget(tx, areaId, input);
  });
}
