export { ApiToken } from './api-token.entity.js';
export { createToken } from './operations/create-token.js';
export { tokenHash } from './api-token-generator.js';
