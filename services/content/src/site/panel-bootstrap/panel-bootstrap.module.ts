import { ResourceModule } from '@quire/operation';
import { PanelBootstrapController } from './panel-bootstrap.controller.js';

@ResourceModule({ controllers: [PanelBootstrapController] })
export class PanelBootstrapModule {}
