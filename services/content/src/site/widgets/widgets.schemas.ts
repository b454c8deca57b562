import { storableText } from '@quire/operation';
import { z } from 'zod';
import { blockList, openRecord, storedBlocks, storedRecord } from '../../rich-text/index.js';
import { widgetTypes } from './widget.entity.js';

/** Limits the widgets of one area and one reorder. */
export const maxWidgets = 200;

const areaName = z
  .string()
  .min(1)
  .max(100)
  .regex(/^[a-z0-9][a-z0-9_-]*$/, 'must consist of a-z, 0-9, _ and -, and begin with a letter or digit');
const label = storableText(z.string().max(200)).refine((value) => value.trim() !== '', 'must not be blank');
/** "" clears the value. */
const clearable = storableText(z.string().max(200)).transform((value) => (value === '' ? null : value));

export const areaParams = z.object({ name: storableText(z.string().max(512)) });
export const widgetParams = areaParams.extend({ id: storableText(z.string().max(512)) });

export const createAreaBody = z.object({
  name: areaName,
  label,
  description: storableText(z.string().max(2_000)).nullish(),
});

export const createWidgetBody = z.object({
  type: z.enum(widgetTypes),
  title: clearable.optional(),
  content: blockList.optional(),
  menuName: clearable.optional(),
  componentId: clearable.optional(),
  componentProps: openRecord.optional(),
});

export const updateWidgetBody = createWidgetBody
  .partial()
  .refine(
    (update) => Object.values(update).some((value) => value !== undefined),
    'must name at least one property of a widget',
  );

export const reorderWidgetsBody = z.object({
  widgetIds: z.array(storableText(z.string().min(1).max(64))).max(maxWidgets),
});

export const widgetSchema = z
  .object({
    id: z.string(),
    type: z.enum(widgetTypes),
    title: z.string().optional(),
    content: storedBlocks.optional(),
    menuName: z.string().optional(),
    componentId: z.string().optional(),
    componentProps: storedRecord.optional(),
  })
  .meta({ id: 'Widget' });

/** Clients read instants in both spellings (contract 6). */
const area = z.object({
  id: z.string(),
  name: z.string(),
  label: z.string(),
  description: z.string().nullable(),
  created_at: z.string(),
  updated_at: z.string(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
const areaWithWidgets = area.extend({ widgets: z.array(widgetSchema) });

export const areaSchema = area.meta({ id: 'WidgetArea' });
export const areaWithWidgetsSchema = areaWithWidgets.meta({ id: 'WidgetAreaWithWidgets' });
export const areaListItemSchema = areaWithWidgets
  .extend({ widgetCount: z.number().int() })
  .meta({ id: 'WidgetAreaListItem' });

export type WidgetAreaResponse = z.output<typeof areaSchema>;
export type AreaWithWidgets = z.output<typeof areaWithWidgetsSchema>;
export type AreaListItem = z.output<typeof areaListItemSchema>;
export type AreaInput = z.output<typeof createAreaBody>;
export type WidgetResponse = z.output<typeof widgetSchema>;
export type WidgetInput = z.output<typeof createWidgetBody>;
export type WidgetUpdate = z.output<typeof updateWidgetBody>;
