import { ResourceModule } from '@quire/operation';
import { FilesController } from './files.controller.js';

@ResourceModule({ controllers: [FilesController] })
export class FilesModule {}
