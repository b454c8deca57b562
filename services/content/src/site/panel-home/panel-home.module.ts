import { ResourceModule } from '@quire/operation';
import { PanelHomeController } from './panel-home.controller.js';

@ResourceModule({ controllers: [PanelHomeController] })
export class PanelHomeModule {}
