import { ResourceModule } from '@quire/operation';
import { SeedInternalController } from './seed.internal.controller.js';

@ResourceModule({ controllers: [SeedInternalController] })
export class SeedModule {}
