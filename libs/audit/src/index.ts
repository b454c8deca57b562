export { auditActions, type AuditAction, type AuditActions, type AuditingService } from './actions.js';
export { audit, auditToolCall, type AuditEvent, type AuditTarget } from './audit.js';
