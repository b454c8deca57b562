export { openConnection } from './connections.operations.js';
export { accessTokenSchema } from './connections.schemas.js';
export { beginAuthorization } from './operations/begin-authorization.js';
