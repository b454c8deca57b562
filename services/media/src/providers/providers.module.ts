import { ResourceModule } from '@quire/operation';
import { ProvidersController } from './providers.controller.js';

@ResourceModule({ controllers: [ProvidersController] })
export class ProvidersModule {}
