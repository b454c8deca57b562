export { callerOf } from './caller.js';
export { CredentialReader, type CredentialCounts, type UserCredentials } from './credential-reader.js';
export { normaliseEmail } from './email.js';
export {
  countUsers,
  insertUser,
  isActiveAdminEmail,
  isActiveUserEmail,
  isEmailTaken,
  selectAdminEmails,
  selectUser,
  selectUserEmail,
  type NewUserRow,
} from './users.repository.js';
export { lockUser } from './lock-user.js';
export { ensureUser } from './users.operations.js';
export { roleInput } from './users.schemas.js';
export { User } from './user.entity.js';
export { AccessRevoker, UserDeps } from './user-deps.js';
