import { ResourceModule } from '@quire/operation';
import { CapabilitiesController } from './capabilities/capabilities.controller.js';
import { ImportsController } from './imports.controller.js';
import { UploadController } from './upload/upload.controller.js';

/** Imports of whole sites. Their tables are those of exports. */
@ResourceModule({ controllers: [CapabilitiesController, ImportsController, UploadController] })
export class ImportsModule {}
