import { ResourceModule } from '@quire/operation';
import { UploadsController } from './uploads.controller.js';
import { UploadTools } from './uploads.tools.js';

@ResourceModule({ controllers: [UploadsController], providers: [UploadTools] })
export class UploadsModule {}
