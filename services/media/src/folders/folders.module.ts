import { ResourceModule } from '@quire/operation';
import { MediaFolder } from './folder.entity.js';
import { FoldersController } from './folders.controller.js';

@ResourceModule({ controllers: [FoldersController], entities: [MediaFolder] })
export class FoldersModule {}
