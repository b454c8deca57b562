import { Controller } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Ctx } from '@quire/http-server';
import { declareOperation, Operation } from '@quire/operation';
import { getPanelHome } from './panel-home.operations.js';
import { panelHomeSchema } from './panel-home.schemas.js';

const get = declareOperation({
  id: 'getPanelHome',
  method: 'GET',
  path: 'panel/home',
  summary: 'Get the entries that the first screen of the admin panel lists',
  tag: 'Panel',
  access: 'content:read_drafts',
  scope: 'admin',
  isDocumented: false,
  response: panelHomeSchema,
});

/** The lists of the panel's first screen; not in the OpenAPI document. */
@Controller()
export class PanelHomeController {
  @Operation(get)
  get(@Ctx() ctx: Context) {
    return getPanelHome(ctx);
  }
}
