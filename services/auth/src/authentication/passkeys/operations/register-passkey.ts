import { verifyRegistrationResponse, type VerifiedRegistrationResponse } from '@simplewebauthn/server';
import type { Queryable } from '@quire/database';
import { invalidInput, notFound, QuireError } from '@quire/errors';
import { consumeChallenge, type ChallengePurpose } from '../challenges.repository.js';
import { insertPasskey, lockPasskeys, maxPasskeys, selectUserRole } from '../passkeys.repository.js';
import type { OwnPasskey, RegistrationCredential } from '../passkeys.schemas.js';
import type { RelyingParty } from '../relying-party.js';
import { needsUserVerification, signedChallenge } from './verify-assertion.js';
import { algorithms } from './create-registration-options.js';

/** The passkey that a browser created from the options of `createRegistrationOptions`. */
export interface Registration {
  purpose: ChallengePurpose;
  /** An existing user, or one that was created earlier in the same transaction. */
  userId: string;
  credential: RegistrationCredential;
  /** Overrides the name in the request of the options. */
  name?: string | undefined;
}

/**
 * Verifies a new passkey, stores it for its user and consumes the challenge, in the caller's transaction.
 * @throws QuireError CHALLENGE_EXPIRED for a challenge that is unknown, expired or used, or that belongs to another
 *   user or purpose; VALIDATION_ERROR for an invalid passkey, one of another site, and one of an administrator without
 *   PIN or biometrics; PASSKEY_LIMIT; CREDENTIAL_EXISTS for a registered passkey; NOT_FOUND for an unknown user.
 */
export async function registerPasskey(
  tx: Queryable,
  party: RelyingParty,
  { purpose, userId, credential, name }: Registration,
): Promise<OwnPasskey> {
  const count = await lockPasskeys(tx, userId);
  if (count === false) throw notFound('user');
  const text = signedChallenge(credential.response.clientDataJSON);
  const challenge = text === undefined ? undefined : await consumeChallenge(tx, text, purpose);
  if (text === undefined || challenge?.userId !== userId) throw challengeExpiredError();
  if (count >= maxPasskeys) throw passkeyLimitError();
  const expected = { expectedChallenge: text, role: await selectUserRole(tx, userId) };
  const { credential: created, ...device } = await verifyRegistration(party, credential, expected);
  const stored = await insertPasskey(tx, {
    userId,
    credentialId: created.id,
    publicKey: Buffer.from(created.publicKey),
    counter: created.counter,
    deviceType: device.credentialDeviceType,
    backedUp: device.credentialBackedUp,
    transports: credential.response.transports ?? [],
    name: name ?? challenge.passkeyName,
  });
  if (!stored) throw new QuireError('CREDENTIAL_EXISTS', 'This passkey is already registered');
  return stored;
}

type VerifiedPasskey = NonNullable<VerifiedRegistrationResponse['registrationInfo']>;

/** @throws QuireError VALIDATION_ERROR */
async function verifyRegistration(
  { id, origins }: RelyingParty,
  credential: RegistrationCredential,
  { expectedChallenge, role }: { expectedChallenge: string; role: number },
): Promise<VerifiedPasskey> {
  const { authenticatorAttachment: _, response, ...rest } = credential;
  const { verified: isVerified, registrationInfo } = await verifyRegistrationResponse({
    response: {
      ...rest,
      response: { clientDataJSON: response.clientDataJSON, attestationObject: response.attestationObject },
      clientExtensionResults: {},
    },
    expectedChallenge,
    expectedOrigin: origins,
    expectedRPID: id,
    supportedAlgorithmIDs: algorithms,
    requireUserVerification: needsUserVerification(role),
  }).catch((error: unknown) => {
    throw invalidPasskeyError(error);
  });
  // Only the credential id inside the attestation is signed; the one beside it must match.
  if (!isVerified || registrationInfo.credential.id !== credential.id) throw invalidPasskeyError();
  return registrationInfo;
}

function invalidPasskeyError(cause?: unknown): QuireError {
  const { message, details } = invalidInput([
    { path: 'credential', message: 'is not a valid passkey for this site' },
  ]);
  return new QuireError('VALIDATION_ERROR', message, { ...(details ? { details } : {}), cause });
}

/** @returns the error of a user with the maximum number of passkeys. */
export function passkeyLimitError(): QuireError {
  return new QuireError('PASSKEY_LIMIT', `A user has at most ${maxPasskeys} passkeys; remove one first`);
}

function challengeExpiredError(): QuireError {
  return new QuireError('CHALLENGE_EXPIRED', 'The challenge has expired or was already used; start again');
}
