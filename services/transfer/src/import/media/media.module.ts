import { ResourceModule } from '@quire/operation';
import { MediaAddress } from './addresses/index.js';
import { MediaDownload } from './media-download.entity.js';
import { MediaImport } from './media-import.entity.js';
import { MediaSource } from './media-source.entity.js';
import { MediaController } from './media.controller.js';

@ResourceModule({
  controllers: [MediaController],
  entities: [MediaImport, MediaDownload, MediaSource, MediaAddress],
})
export class MediaImportModule {}
