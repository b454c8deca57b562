import { ResourceModule } from '@quire/operation';
import { UndoImportInternalController } from './undo-import.internal.controller.js';

@ResourceModule({ controllers: [UndoImportInternalController] })
export class UndoImportModule {}
