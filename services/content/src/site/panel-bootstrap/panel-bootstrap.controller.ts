import { Controller } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Conditional, Ctx, IfNoneMatch } from '@quire/http-server';
import { declareOperation, Operation } from '@quire/operation';
import { getPanelBootstrap, PanelBootstrapDeps } from './panel-bootstrap.operations.js';
import { panelBootstrapSchema } from './panel-bootstrap.schemas.js';

const get = declareOperation({
  id: 'getPanelBootstrap',
  method: 'GET',
  path: 'panel/bootstrap',
  summary: 'Get what the admin panel needs before its first screen: site, locales, schema, limits',
  tag: 'Panel',
  access: 'content:read_drafts',
  scope: 'admin',
  isDocumented: false,
  conditional: true,
  response: panelBootstrapSchema,
});

/** The first data of the admin panel; not in the OpenAPI document. */
@Controller()
export class PanelBootstrapController {
  constructor(private readonly deps: PanelBootstrapDeps) {}

  @Operation(get)
  async get(@Ctx() ctx: Context, @IfNoneMatch() conditional: Conditional) {
    const bootstrap = await getPanelBootstrap(ctx, this.deps);
    conditional.throwIfNotModified(bootstrap);
    conditional.mark(bootstrap);
    return bootstrap;
  }
}
