import { ResourceModule } from '@quire/operation';
import { AuditChainLink } from './audit-chain.entity.js';
import { AuditEntry } from './audit-entry.entity.js';
import { AuditController } from './audit.controller.js';

@ResourceModule({ controllers: [AuditController], entities: [AuditEntry, AuditChainLink] })
export class AuditModule {}
