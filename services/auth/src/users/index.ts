export { ensureUser } from './operations/ensure-user.js';
export { normalisedEmail } from './email.js';
export { User } from './user.entity.js';
export { UsersInternalController } from './users.internal.controller.js';
