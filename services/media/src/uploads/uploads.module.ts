import { ResourceModule } from '@quire/operation';
import { UploadsController } from './uploads.controller.js';

@ResourceModule({ controllers: [UploadsController] })
export class UploadsModule {}
