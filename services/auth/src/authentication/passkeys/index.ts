export type { ChallengePurpose } from './challenges.js';
export { createRegistrationOptions, type PasskeyOwner } from './operations/create-registration-options.js';
export { hasPasskeys, assertUserPresent } from './operations/reauthenticate.js';
export { removePasskey } from './operations/remove-passkey.js';
export { renamePasskey } from './operations/rename-passkey.js';
export { registerPasskey, type Registration } from './operations/register-passkey.js';
export { Passkey } from './passkey.entity.js';
export { PasskeyDeps } from './passkey-deps.js';
export { PasskeyReader } from './passkey-reader.js';
export { maxPasskeys, selectPasskeys } from './passkeys.repository.js';
export {
  authenticationCredential,
  passkeyName,
  registrationCredential,
  registrationOptions,
  signedInAnswer,
  type AuthenticationCredential,
  type OwnPasskey,
  type RegistrationCredential,
  type RegistrationOptions,
  type SignedInUser,
} from './passkeys.schemas.js';
export { RelyingPartyFactory, type RelyingParty } from './relying-party.js';
