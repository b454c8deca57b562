import { Controller } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Ctx } from '@quire/http-server';
import { Input, Operation, type InputOf } from '@quire/operation';
import { createWidgetArea } from './operations/create-widget-area.js';
import { createWidget } from './operations/create-widget.js';
import { deleteWidgetArea } from './operations/delete-widget-area.js';
import { deleteWidget } from './operations/delete-widget.js';
import { getWidgetArea } from './operations/get-widget-area.js';
import { listWidgetAreas } from './operations/list-widget-areas.js';
import { reorderWidgets } from './operations/reorder-widgets.js';
import { updateWidget } from './operations/update-widget.js';
import * as declared from './widgets.declarations.js';

type InputOfNamed<Name extends keyof typeof declared> = InputOf<(typeof declared)[Name]>;

/** Widget areas and their widgets (spec document 1, Widgets; contract 20). */
@Controller()
export class WidgetsController {
  @Operation(declared.listWidgetAreas)
  async list(@Ctx() ctx: Context) {
    return { items: await listWidgetAreas(ctx) };
  }

  @Operation(declared.createWidgetArea)
  create(@Ctx() ctx: Context, @Input() { body }: InputOfNamed<'createWidgetArea'>) {
    return createWidgetArea(ctx, body);
  }

  @Operation(declared.getWidgetArea)
  get(@Ctx() ctx: Context, @Input() { params }: InputOfNamed<'getWidgetArea'>) {
    return getWidgetArea(ctx, params.name);
  }

  @Operation(declared.deleteWidgetArea)
  remove(@Ctx() ctx: Context, @Input() { params }: InputOfNamed<'deleteWidgetArea'>) {
    return deleteWidgetArea(ctx, params.name);
  }

  @Operation(declared.createWidget)
  createWidget(@Ctx() ctx: Context, @Input() { params, body }: InputOfNamed<'createWidget'>) {
    return createWidget(ctx, params.name, body);
  }

  @Operation(declared.updateWidget)
  updateWidget(@Ctx() ctx: Context, @Input() { params, body }: InputOfNamed<'updateWidget'>) {
    return updateWidget(ctx, params, body);
  }

  @Operation(declared.deleteWidget)
  removeWidget(@Ctx() ctx: Context, @Input() { params }: InputOfNamed<'deleteWidget'>) {
    return deleteWidget(ctx, params);
  }

  @Operation(declared.reorderWidgets)
  reorder(@Ctx() ctx: Context, @Input() { params, body }: InputOfNamed<'reorderWidgets'>) {
    return reorderWidgets(ctx, params.name, body.widgetIds);
  }
}
