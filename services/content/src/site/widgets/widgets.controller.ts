import { Controller } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Ctx } from '@quire/http-server';
import { declareOperation, Input, maxContentBodyBytes, Operation, type InputOf } from '@quire/operation';
import { z } from 'zod';
import {
  createWidget,
  createWidgetArea,
  deleteWidget,
  deleteWidgetArea,
  getWidgetArea,
  listWidgetAreas,
  reorderWidgets,
  updateWidget,
} from './widgets.operations.js';
import {
  areaListItemSchema,
  areaParams,
  areaSchema,
  areaWithWidgetsSchema,
  createAreaBody,
  createWidgetBody,
  reorderWidgetsBody,
  updateWidgetBody,
  widgetParams,
  widgetSchema,
} from './widgets.schemas.js';

const read = { tag: 'Widgets', access: 'widgets:read', scope: 'content:read' } as const;
const write = { tag: 'Widgets', access: 'widgets:manage', scope: 'content:write' } as const;
const deleted = z.object({ deleted: z.literal(true) });

const listAreas = declareOperation({
  ...read,
  id: 'listWidgetAreas',
  method: 'GET',
  path: 'widget-areas',
  summary: 'List widget areas with their widgets',
  response: z.object({ items: z.array(areaListItemSchema) }),
});

const createArea = declareOperation({
  ...write,
  id: 'createWidgetArea',
  method: 'POST',
  path: 'widget-areas',
  summary: 'Create a widget area',
  body: createAreaBody,
  status: 201,
  response: areaSchema,
  errors: ['CONFLICT'],
});

const getArea = declareOperation({
  ...read,
  id: 'getWidgetArea',
  method: 'GET',
  path: 'widget-areas/:name',
  summary: 'Get a widget area with its widgets',
  params: areaParams,
  response: areaWithWidgetsSchema,
  errors: ['NOT_FOUND'],
});

const removeArea = declareOperation({
  ...write,
  id: 'deleteWidgetArea',
  method: 'DELETE',
  path: 'widget-areas/:name',
  summary: 'Delete a widget area with its widgets',
  params: areaParams,
  response: deleted,
  errors: ['NOT_FOUND'],
});

const create = declareOperation({
  ...write,
  id: 'createWidget',
  method: 'POST',
  path: 'widget-areas/:name/widgets',
  summary: 'Add a widget at the end of an area',
  params: areaParams,
  body: createWidgetBody,
  maxBodyBytes: maxContentBodyBytes,
  status: 201,
  response: widgetSchema,
  errors: ['NOT_FOUND'],
});

const update = declareOperation({
  ...write,
  id: 'updateWidget',
  method: 'PUT',
  path: 'widget-areas/:name/widgets/:id',
  summary: 'Update a widget',
  params: widgetParams,
  body: updateWidgetBody,
  maxBodyBytes: maxContentBodyBytes,
  response: widgetSchema,
  errors: ['NOT_FOUND'],
});

const remove = declareOperation({
  ...write,
  id: 'deleteWidget',
  method: 'DELETE',
  path: 'widget-areas/:name/widgets/:id',
  summary: 'Delete a widget',
  params: widgetParams,
  response: deleted,
  errors: ['NOT_FOUND'],
});

const reorder = declareOperation({
  ...write,
  id: 'reorderWidgets',
  method: 'POST',
  path: 'widget-areas/:name/reorder',
  summary: 'Reorder the widgets of an area',
  params: areaParams,
  body: reorderWidgetsBody,
  response: z.object({ success: z.literal(true) }),
  errors: ['NOT_FOUND'],
});

/** Widget areas and their widgets (spec document 1, Widgets; contract 20). */
@Controller()
export class WidgetsController {
  @Operation(listAreas)
  async listAreas(@Ctx() ctx: Context) {
    return { items: await listWidgetAreas(ctx) };
  }

  @Operation(createArea)
  createArea(@Ctx() ctx: Context, @Input() { body }: InputOf<typeof createArea>) {
    return createWidgetArea(ctx, body);
  }

  @Operation(getArea)
  getArea(@Ctx() ctx: Context, @Input() { params }: InputOf<typeof getArea>) {
    return getWidgetArea(ctx, params.name);
  }

  @Operation(removeArea)
  removeArea(@Ctx() ctx: Context, @Input() { params }: InputOf<typeof removeArea>) {
    return deleteWidgetArea(ctx, params.name);
  }

  @Operation(create)
  create(@Ctx() ctx: Context, @Input() { params, body }: InputOf<typeof create>) {
    return createWidget(ctx, { area: params.name, widget: body });
  }

  @Operation(update)
  update(@Ctx() ctx: Context, @Input() { params, body }: InputOf<typeof update>) {
    return updateWidget(ctx, { area: params.name, id: params.id, update: body });
  }

  @Operation(remove)
  remove(@Ctx() ctx: Context, @Input() { params }: InputOf<typeof remove>) {
    return deleteWidget(ctx, { area: params.name, id: params.id });
  }

  @Operation(reorder)
  reorder(@Ctx() ctx: Context, @Input() { params, body }: InputOf<typeof reorder>) {
    return reorderWidgets(ctx, { area: params.name, ids: body.widgetIds });
  }
}
