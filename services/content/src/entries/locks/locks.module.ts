import { ResourceModule } from '@quire/operation';
import { Lease } from './lease.entity.js';
import { LocksController } from './locks.controller.js';

@ResourceModule({ controllers: [LocksController], entities: [Lease] })
export class LocksModule {}
