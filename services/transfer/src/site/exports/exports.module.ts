import { ResourceModule } from '@quire/operation';
import { TransferOperation } from '../operations/transfer-operation.entity.js';
import { PackageFile } from '../package-files/package-file.entity.js';
import { DownloadsController } from './downloads.controller.js';
import { ExportsController } from './exports.controller.js';
import { ExportTools } from './exports.tools.js';

@ResourceModule({
  controllers: [DownloadsController, ExportsController],
  providers: [ExportTools],
  entities: [TransferOperation, PackageFile],
})
export class ExportsModule {}
