export { ApiToken } from './api-token.entity.js';
export { createToken } from './api-tokens.operations.js';
export { tokenHash } from './api-token-generator.js';
