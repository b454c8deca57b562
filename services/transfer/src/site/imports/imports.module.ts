import { ResourceModule } from '@quire/operation';
import { AnalysisController } from './analysis/analysis.controller.js';
import { ImportKey } from './analysis/keys/import-key.entity.js';
import { CapabilitiesController } from './capabilities/capabilities.controller.js';
import { ExecutionController } from './execution/index.js';
import { ImportsController } from './imports.controller.js';
import { ImportTools } from './imports.tools.js';
import { StartTools } from './start.tools.js';
import { UploadController } from './upload/upload.controller.js';

/** Imports of whole sites. Most of their tables are those of exports. */
@ResourceModule({
  controllers: [
    AnalysisController,
    CapabilitiesController,
    ExecutionController,
    ImportsController,
    UploadController,
  ],
  providers: [ImportTools, StartTools],
  entities: [ImportKey],
})
export class ImportsModule {}
