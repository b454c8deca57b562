import { ResourceModule } from '@quire/operation';
import { TransferPageController } from './transfer-page.controller.js';

@ResourceModule({ controllers: [TransferPageController] })
export class TransferPageModule {}
