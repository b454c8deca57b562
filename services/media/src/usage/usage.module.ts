import { ResourceModule } from '@quire/operation';
import { ActivationController } from './activation/activation.controller.js';
import { UsageController } from './usage.controller.js';
import { UsageTools } from './usage.tools.js';
import { UsageCount, UsageCoverage, UsageEntryRow, UsageSource } from './usage.entities.js';

@ResourceModule({
  controllers: [ActivationController, UsageController],
  providers: [UsageTools],
  entities: [UsageCount, UsageCoverage, UsageEntryRow, UsageSource],
})
export class UsageModule {}
