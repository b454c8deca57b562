import { ResourceModule } from '@quire/operation';
import { AnalysisController } from './analysis/analysis.controller.js';
import { ImportKey } from './analysis/keys/import-key.entity.js';
import { ImportsController } from './imports.controller.js';

/** Imports of whole sites. Most of their tables are those of exports. */
@ResourceModule({ controllers: [AnalysisController, ImportsController], entities: [ImportKey] })
export class ImportsModule {}
