import { ResourceModule } from '@quire/operation';
import { SourcesController } from './sources.controller.js';

@ResourceModule({ controllers: [SourcesController] })
export class SourcesModule {}
