export { OAuthDeps } from './oauth-deps.js';
export { revokeGrants } from './tokens/tokens.operations.js';
