export { createAuthClient, CredentialAuthentication } from './credential-authentication.js';
export { clientAddressOf, type TrustedProxies } from './client-address.js';
export { checkCsrf, isSafeMethod } from './csrf.js';
export { createPrincipalCache, currentPrincipal, invalidatePrincipals } from './principal-cache.js';
