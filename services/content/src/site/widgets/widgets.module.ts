import { ResourceModule } from '@quire/operation';
import { WidgetArea } from './widget-area.entity.js';
import { Widget } from './widget.entity.js';
import { WidgetsController } from './widgets.controller.js';

@ResourceModule({ controllers: [WidgetsController], entities: [WidgetArea, Widget] })
export class WidgetsModule {}
