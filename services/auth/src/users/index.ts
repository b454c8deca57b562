export { normalisedEmail } from './email.js';
export { ensureUser } from './operations/ensure-user.js';
export { User } from './user.entity.js';
export { UsersInternalController } from './users.internal.controller.js';
