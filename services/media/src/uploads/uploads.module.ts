import { ResourceModule } from '@quire/operation';
import { StorageUse } from './storage-use.entity.js';
import { UploadsController } from './uploads.controller.js';
import { UploadsInternalController } from './uploads.internal.controller.js';
import { UploadTools } from './uploads.tools.js';

@ResourceModule({
  controllers: [UploadsController, UploadsInternalController],
  entities: [StorageUse],
  providers: [UploadTools],
})
export class UploadsModule {}
