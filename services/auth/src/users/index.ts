export { ensureUser } from './operations/ensure-user.js';
export { normalisedEmail } from './email.js';
export { roleInput } from './role.schema.js';
export { User } from './user.entity.js';
export { UsersInternalController } from './users.internal.controller.js';
