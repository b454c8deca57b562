export { AuditEntry } from './audit-entry.entity.js';
export type { AuditEvent, AuditTarget, SignInMethod } from './audit-event.js';
export { AuditLog } from './audit-log.js';
export { AuditController } from './audit.controller.js';
export { auditMigration } from './audit.tables.js';
export { tellingRefusals, tellRefusal } from './telling-refusals.js';
