import { ResourceModule } from '@quire/operation';
import { MediaFileChanges } from './file-changes.entity.js';
import { MediaItem } from './item.entity.js';
import { ItemsController } from './items.controller.js';
import { ItemsInternalController } from './items.internal.controller.js';
import { MediaTools } from './items.tools.js';

@ResourceModule({
  controllers: [ItemsController, ItemsInternalController],
  providers: [MediaTools],
  entities: [MediaItem, MediaFileChanges],
})
export class ItemsModule {}
