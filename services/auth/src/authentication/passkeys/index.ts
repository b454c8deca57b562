export type { ChallengePurpose } from './challenges.repository.js';
export { createRegistrationOptions } from './operations/create-registration-options.js';
export { hasPasskeys, assertUserPresent } from './operations/reauthenticate.js';
export { removePasskey, renamePasskey } from './passkeys.operations.js';
export { registerPasskey, type Registration } from './operations/register-passkey.js';
export { Passkey } from './passkey.entity.js';
export { PasskeyDeps } from './passkey-deps.js';
export { PasskeyReader } from './passkey-reader.js';
export { maxPasskeys, selectPasskeys, type PasskeyOwner } from './passkeys.repository.js';
export {
  authenticationCredential,
  passkeyName,
  registrationCredential,
  registrationOptions,
  signedInResponse,
  type AuthenticationCredential,
  type OwnPasskey,
  type RegistrationCredential,
  type RegistrationOptions,
  type SignedInUser,
} from './passkeys.schemas.js';
export { RelyingPartyFactory, type RelyingParty } from './relying-party.js';
