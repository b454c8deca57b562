export {
  CredentialSummary,
  NoCredentials,
  type CredentialCounts,
  type UserCredentials,
} from './credential-summary.js';
export { normalisedEmail } from './email.js';
export { ensureUser } from './operations/ensure-user.js';
export { roleInput } from './role.schema.js';
export { UserAccess } from './user-access.js';
export { User } from './user.entity.js';
export { UserServices } from './user-services.js';
export { UsersController } from './users.controller.js';
export { UsersInternalController } from './users.internal.controller.js';
export { usersOrderMigration } from './users.tables.js';
