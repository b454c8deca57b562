import { Controller } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Ctx } from '@quire/http-server';
import { declareOperation, Operation } from '@quire/operation';
import { MediaClient, AuthClient } from '../../clients/index.js';
import { Dashboard } from './dashboard.js';
import { getDashboard } from './dashboard.operations.js';
import { dashboardSchema } from './dashboard.schemas.js';

const get = declareOperation({
  id: 'getDashboard',
  method: 'GET',
  path: 'dashboard',
  summary: 'Get counts and latest changes of a site',
  tag: 'Dashboard',
  access: 'content:read',
  scope: 'admin',
  isDocumented: false,
  response: dashboardSchema,
});

/** The dashboard of a site (contract 37); not in the OpenAPI document. */
@Controller()
export class DashboardController {
  constructor(
    private readonly dashboard: Dashboard,
    private readonly media: MediaClient,
    private readonly users: AuthClient,
  ) {}

  @Operation(get)
  get(@Ctx() ctx: Context) {
    const { dashboard, media, users } = this;
    return getDashboard(ctx, { dashboard, media, users });
  }
}
