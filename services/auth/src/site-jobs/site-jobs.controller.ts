import { Controller, Inject } from '@nestjs/common';
import type { Context } from '@quire/context';
import { Ctx } from '@quire/http-server';
import { SiteJobs } from '@quire/jobs';
import { declareOperation, Operation } from '@quire/operation';
import { getSiteJobs } from './site-jobs.operations.js';
import { siteJobsSchema } from './site-jobs.schemas.js';

const get = declareOperation({
  id: 'getSiteJobs',
  method: 'GET',
  path: 'admin/jobs',
  summary: 'Get the state of the background jobs of the site',
  tag: 'Users',
  access: 'settings:manage',
  scope: 'admin',
  isDocumented: false,
  response: siteJobsSchema,
});

/** The background jobs of the site, for administrators. */
@Controller()
export class SiteJobsController {
  constructor(@Inject(SiteJobs) private readonly jobs: SiteJobs) {}

  @Operation(get)
  get(@Ctx() ctx: Context) {
    return getSiteJobs(ctx, this.jobs);
  }
}
