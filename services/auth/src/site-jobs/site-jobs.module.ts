import { ResourceModule } from '@quire/operation';
import { SiteJobsController } from './site-jobs.controller.js';

@ResourceModule({ controllers: [SiteJobsController] })
export class SiteJobsModule {}
