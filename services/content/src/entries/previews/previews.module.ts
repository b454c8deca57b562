import { ResourceModule } from '@quire/operation';
import { PreviewsController } from './previews.controller.js';

/** Its table, `preview_keys`, has no entity: one row without a key. */
@ResourceModule({ controllers: [PreviewsController] })
export class PreviewsModule {}
