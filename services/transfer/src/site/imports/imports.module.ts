import { ResourceModule } from '@quire/operation';
import { ImportsController } from './imports.controller.js';

/** Imports of whole sites. Their tables are those of exports. */
@ResourceModule({ controllers: [ImportsController] })
export class ImportsModule {}
