import { ResourceModule } from '@quire/operation';
import { UploadsController } from './uploads.controller.js';
import { UploadsInternalController } from './uploads.internal.controller.js';
import { UploadTools } from './uploads.tools.js';

@ResourceModule({ controllers: [UploadsController, UploadsInternalController], providers: [UploadTools] })
export class UploadsModule {}
