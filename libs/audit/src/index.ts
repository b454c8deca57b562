export { auditActions, type AuditAction, type AuditActions } from './actions.js';
export { audit, type AuditEvent, type AuditTarget } from './audit.js';
