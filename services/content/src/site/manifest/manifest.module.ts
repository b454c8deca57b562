import { ResourceModule } from '@quire/operation';
import { ManifestController } from './manifest.controller.js';

@ResourceModule({ controllers: [ManifestController] })
export class ManifestModule {}
