export type { ChallengePurpose } from './challenges.js';
export { makeRegistrationOptions, type PasskeyOwner } from './operations/make-registration-options.js';
export { hasPasskeys, requirePresence } from './operations/reauthenticate.js';
export { removePasskey } from './operations/remove-passkey.js';
export { renamePasskey } from './operations/rename-passkey.js';
export { registerPasskey, type Registration } from './operations/register-passkey.js';
export { PasskeyChallenge } from './passkey-challenge.entity.js';
export { Passkey } from './passkey.entity.js';
export { PasskeyServices } from './passkey-services.js';
export { PasskeySummary } from './passkey-summary.js';
export { PasskeysController } from './passkeys.controller.js';
export { maximumPasskeys, passkeysOf } from './passkeys.repository.js';
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
export { passkeysMigration } from './passkeys.tables.js';
export { RelyingParties, type RelyingParty } from './relying-party.js';
