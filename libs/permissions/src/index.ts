export { can, canOnRow, requireOnRow, requirePermission, requireScope, type Caller } from './check/check.js';
export { permissions, type OwnablePermission, type Permission } from './map/permissions.js';
export { roleNamed, roles, type Role, type RoleName } from './map/roles.js';
export { isScope, roleMayGrant, scopes, scopesGrant, withImplied, type Scope } from './map/scopes.js';
