import { ResourceModule } from '@quire/operation';
import { AnalysisController } from './analysis.controller.js';

@ResourceModule({ controllers: [AnalysisController] })
export class AnalysisModule {}
