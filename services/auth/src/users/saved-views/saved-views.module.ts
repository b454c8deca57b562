import { ResourceModule } from '@quire/operation';
import { SavedView } from './saved-view.entity.js';
import { SavedViewsController } from './saved-views.controller.js';

@ResourceModule({ controllers: [SavedViewsController], entities: [SavedView] })
export class SavedViewsModule {}
