import { ResourceModule } from '@quire/operation';
import { PanelEntriesController } from './panel-entries.controller.js';

@ResourceModule({ controllers: [PanelEntriesController] })
export class PanelEntriesModule {}
