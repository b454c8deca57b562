import type { Context } from '@quire/context';
import { invalidInput, notFound, QuireError, type Issue } from '@quire/errors';
import {
  deleteAreaRow,
  deleteWidgetRow,
  insertArea,
  insertWidget,
  lockArea,
  selectAreas,
  selectWidgetPlaces,
  updateWidgetOrder,
  updateWidgetRow,
  type AreaWithStoredWidgets,
  type StoredArea,
  type StoredWidget,
} from './widgets.repository.js';
import {
  maxWidgets,
  type AreaInput,
  type AreaListItem,
  type AreaWithWidgets,
  type WidgetAreaResponse,
  type WidgetInput,
  type WidgetResponse,
  type WidgetUpdate,
} from './widgets.schemas.js';

/** @returns every widget area with its widgets, by name (contract 20). */
export async function listWidgetAreas(ctx: Context): Promise<AreaListItem[]> {
  const areas = await selectAreas(ctx.db);
  return areas.map((area) => ({ ...toAreaWithWidgets(area), widgetCount: area.widgets.length }));
}

/** Creates an empty widget area (contract 20). @throws QuireError CONFLICT when the name is taken. */
export async function createWidgetArea(ctx: Context, input: AreaInput): Promise<WidgetAreaResponse> {
  return toWidgetAreaResponse(await insertArea(ctx.db, input));
}

/** @returns one widget area with its widgets in order (contract 20). @throws QuireError NOT_FOUND. */
export async function getWidgetArea(ctx: Context, name: string): Promise<AreaWithWidgets> {
  const [area] = await selectAreas(ctx.db, name);
  if (!area) throw notFound('widget area');
  return toAreaWithWidgets(area);
}

/** Deletes a widget area with its widgets (contract 20). @throws QuireError NOT_FOUND. */
export async function deleteWidgetArea(ctx: Context, name: string): Promise<{ deleted: true }> {
  if (!(await deleteAreaRow(ctx.db, name))) throw notFound('widget area');
  return { deleted: true };
}

/**
 * Adds a widget at the end of an area (contract 20).
 * @throws QuireError NOT_FOUND (area), VALIDATION_ERROR when the area is full.
 */
export async function createWidget(
  ctx: Context,
  { area, widget }: { area: string; widget: WidgetInput },
): Promise<WidgetResponse> {
  return ctx.db.transaction(async (tx) => {
    const areaId = await lockArea(tx, area);
    const places = await selectWidgetPlaces(tx, areaId);
    if (places.length >= maxWidgets) {
      throw new QuireError('VALIDATION_ERROR', `An area holds at most ${maxWidgets} widgets`);
    }
    const sortOrder = (places.at(-1)?.sortOrder ?? -1) + 1;
    return toWidgetResponse(await insertWidget(tx, { ...widget, areaId, sortOrder }));
  });
}

/**
 * Updates the given properties of a widget; empty texts clear (contract 20).
 * @throws QuireError NOT_FOUND for an unknown area, or a widget that is not of this area.
 */
export async function updateWidget(
  ctx: Context,
  { area, id, update }: { area: string; id: string; update: WidgetUpdate },
): Promise<WidgetResponse> {
  return ctx.db.transaction(async (tx) => {
    const areaId = await lockArea(tx, area);
    const widget = await updateWidgetRow(tx, { areaId, id, update });
    if (!widget) throw notFound('widget');
    return toWidgetResponse(widget);
  });
}

/** Deletes a widget (contract 20). @throws QuireError NOT_FOUND for an unknown area, or a widget that is not of it. */
export async function deleteWidget(
  ctx: Context,
  { area, id }: { area: string; id: string },
): Promise<{ deleted: true }> {
  return ctx.db.transaction(async (tx) => {
    const areaId = await lockArea(tx, area);
    if (!(await deleteWidgetRow(tx, { areaId, id }))) throw notFound('widget');
    return { deleted: true };
  });
}

/**
 * Sorts the listed widgets of an area by the order of their ids; the others keep their sort order (contract 20).
 * @throws QuireError NOT_FOUND (area), VALIDATION_ERROR for an id that is not of this area or is listed twice.
 */
export async function reorderWidgets(
  ctx: Context,
  { area, ids }: { area: string; ids: readonly string[] },
): Promise<{ success: true }> {
  return ctx.db.transaction(async (tx) => {
    const areaId = await lockArea(tx, area);
    const places = await selectWidgetPlaces(tx, areaId);
    const issues = orderIssues(ids, new Set(places.map(({ id }) => id)));
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

function toAreaWithWidgets({ widgets, ...area }: AreaWithStoredWidgets): AreaWithWidgets {
  return { ...toWidgetAreaResponse(area), widgets: widgets.map(toWidgetResponse) };
}

function toWidgetAreaResponse(area: StoredArea): WidgetAreaResponse {
  return { ...area, created_at: area.createdAt, updated_at: area.updatedAt };
}

/** Leaves out properties without a value. */
function toWidgetResponse(widget: StoredWidget): WidgetResponse {
  const { id, type, title, content, menuName, componentId, componentProps } = widget;
  return {
    id,
    type,
    ...(title === null ? {} : { title }),
    ...(content === null ? {} : { content }),
    ...(menuName === null ? {} : { menuName }),
    ...(componentId === null ? {} : { componentId }),
    ...(componentProps === null ? {} : { componentProps }),
  };
}
