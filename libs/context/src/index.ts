export { anonymous, systemActor, type Principal } from './actors/principal.js';
export {
  deriveInternalKeys,
  gatewayIssuer,
  generateInternalKeyPair,
  readInternalKeys,
  type InternalKeys,
} from './internal-token/internal-keys.js';
export { isMacOfAny, type Secrets } from './internal-token/secrets.js';
export {
  clientAddressHeader,
  internalTokenHeader,
  InternalTokenSigner,
  InternalTokenVerifier,
  originHeader,
  requestIdHeader,
  type TokenBinding,
} from './internal-token/internal-token.js';
export type { Context } from './request/context.js';
export {
  getRequestIdentity,
  setRequestIdentity,
  withIdentityTicket,
  type RequestIdentity,
} from './request/request-identity.js';
