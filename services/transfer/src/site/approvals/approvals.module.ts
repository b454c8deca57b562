import { ResourceModule } from '@quire/operation';
import { ApprovalsController } from './approvals.controller.js';
import { TransferApproval } from './transfer-approval.entity.js';

@ResourceModule({ controllers: [ApprovalsController], entities: [TransferApproval] })
export class ApprovalsModule {}
