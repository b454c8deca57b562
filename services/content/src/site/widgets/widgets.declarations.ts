import { declareOperation, maxContentBodyBytes } from '@quire/operation';
import { z } from 'zod';
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

export const listWidgetAreas = declareOperation({
  ...read,
  id: 'listWidgetAreas',
  method: 'GET',
  path: 'widget-areas',
  summary: 'List widget areas with their widgets',
  response: z.object({ items: z.array(areaListItemSchema) }),
});

export const createWidgetArea = declareOperation({
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

export const getWidgetArea = declareOperation({
  ...read,
  id: 'getWidgetArea',
  method: 'GET',
  path: 'widget-areas/:name',
  summary: 'Get a widget area with its widgets',
  params: areaParams,
  response: areaWithWidgetsSchema,
  errors: ['NOT_FOUND'],
});

export const deleteWidgetArea = declareOperation({
  ...write,
  id: 'deleteWidgetArea',
  method: 'DELETE',
  path: 'widget-areas/:name',
  summary: 'Delete a widget area with its widgets',
  params: areaParams,
  response: deleted,
  errors: ['NOT_FOUND'],
});

export const createWidget = declareOperation({
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

export const updateWidget = declareOperation({
  ...write,
  id: 'updateWidget',
  method: 'PUT',
  path: 'widget-areas/:name/widgets/:id',
  summary: 'Change what is sent of a widget',
  params: widgetParams,
  body: updateWidgetBody,
  maxBodyBytes: maxContentBodyBytes,
  response: widgetSchema,
  errors: ['NOT_FOUND'],
});

export const deleteWidget = declareOperation({
  ...write,
  id: 'deleteWidget',
  method: 'DELETE',
  path: 'widget-areas/:name/widgets/:id',
  summary: 'Delete a widget',
  params: widgetParams,
  response: deleted,
  errors: ['NOT_FOUND'],
});

export const reorderWidgets = declareOperation({
  ...write,
  id: 'reorderWidgets',
  method: 'POST',
  path: 'widget-areas/:name/reorder',
  summary: "Set the order of an area's widgets",
  params: areaParams,
  body: reorderWidgetsBody,
  response: z.object({ success: z.literal(true) }),
  errors: ['NOT_FOUND'],
});
