export { OAuthDeps } from './oauth-deps.js';
export { revokeGrants } from './tokens/operations/revoke-grants.js';
