import { ResourceModule } from '@quire/operation';
import { DashboardController } from './dashboard.controller.js';

@ResourceModule({ controllers: [DashboardController] })
export class DashboardModule {}
