export {
  can,
  canOnRow,
  assertOnRow,
  assertPermission,
  assertScope,
  hasScope,
  type Caller,
} from './check/check.js';
export { permissions, type OwnablePermission, type Permission } from './map/permissions.js';
export { roleNamed, roles, type Role, type RoleName } from './map/roles.js';
export { isImplied, isScope, roleMayGrant, scopes, type Scope } from './map/scopes.js';
