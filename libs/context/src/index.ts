export { anonymous, systemActor, type Principal } from './actors/principal.js';
export {
  clientAddressHeader,
  internalKey,
  InternalTokenSigner,
  internalTokenAudience,
  internalTokenHeader,
  internalTokenIssuer,
  isInternalToken,
  originHeader,
  requestIdHeader,
} from './internal-token/internal-token.js';
export type { Context } from './request/context.js';
export { attachedHandoff, attachHandoff, type Handoff } from './request/handoff.js';
