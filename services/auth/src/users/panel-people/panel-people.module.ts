import { ResourceModule } from '@quire/operation';
import { PanelPeopleController } from './panel-people.controller.js';

@ResourceModule({ controllers: [PanelPeopleController] })
export class PanelPeopleModule {}
