export { AuditLog } from './audit/index.js';
export { AuthModule, type AuthParts } from './auth.module.js';
export { authEntities } from './auth.entities.js';
export { authTables } from './auth.tables.js';
export { ApiToken, createToken } from './tokens/index.js';
export { openSession } from './sessions/index.js';
export { SiteSettings } from './setup/index.js';
export { ensureUser, User } from './users/index.js';
