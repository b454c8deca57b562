import { ResourceModule } from '@quire/operation';
import { TransferOperation } from '../operations/transfer-operation.entity.js';
import { PackageFile } from '../package-files/package-file.entity.js';
import { ExportsController } from './exports.controller.js';

@ResourceModule({
  controllers: [ExportsController],
  entities: [TransferOperation, PackageFile],
})
export class ExportsModule {}
