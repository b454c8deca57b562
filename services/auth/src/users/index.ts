export { CredentialReader, type CredentialCounts, type UserCredentials } from './credential-reader.js';
export { normaliseEmail } from './email.js';
export { insertUser, selectUser, type NewUserRow } from './users.repository.js';
export { lockUser } from './lock-user.js';
export { ensureUser } from './users.operations.js';
export { roleInput } from './role.schema.js';
export { AccessRevoker } from './access-revoker.js';
export { User } from './user.entity.js';
export { UserDeps } from './user-deps.js';
