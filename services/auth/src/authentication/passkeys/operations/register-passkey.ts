import { verifyRegistrationResponse, type VerifiedRegistrationResponse } from '@simplewebauthn/server';
import type { Queryable } from '@quire/database';
import { invalidInput, notFound, QuireError } from '@quire/errors';
import { ulid } from 'ulid';
import { signedChallenge, consumeChallenge, type ChallengePurpose } from '../challenges.js';
import { lockPasskeys, maxPasskeys, passkeyColumns } from '../passkeys.repository.js';
import type { OwnPasskey, RegistrationCredential } from '../passkeys.schemas.js';
import type { RelyingParty } from '../relying-party.js';
import { needsUserVerification } from './verify-assertion.js';
import { algorithms } from './create-registration-options.js';

/** What a browser made of the options of `createRegistrationOptions`. */
export interface Registration {
  purpose: ChallengePurpose;
  /** A user who exists, or was made earlier in the same transaction. */
  userId: string;
  credential: RegistrationCredential;
  /** Goes before the name that was given when the options were asked for. */
  name?: string | undefined;
}

/**
 * Checks a new passkey and gives it to its user, in the caller's transaction: with that, the challenge is used up.
 * @throws QuireError CHALLENGE_EXPIRED when the challenge is unknown, over, used, or of another user or purpose;
 * VALIDATION_ERROR for a passkey of another site, one that does not hold, and an administrator's without PIN or
 * biometrics; PASSKEY_LIMIT; CREDENTIAL_EXISTS when the passkey is somebody's already; NOT_FOUND when the user is not
 * there.
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
  const made = await verified(party, credential, { expectedChallenge: text, role: await roleOf(tx, userId) });
  const [stored] = await tx.query<OwnPasskey>(
    `INSERT INTO passkeys (id, user_id, credential_id, public_key, counter, device_type, backed_up, transports, name)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     ON CONFLICT (credential_id) DO NOTHING RETURNING ${passkeyColumns}`,
    [
      ulid(),
      userId,
      made.credential.id,
      Buffer.from(made.credential.publicKey),
      made.credential.counter,
      made.credentialDeviceType,
      made.credentialBackedUp,
      credential.response.transports ?? [],
      name ?? challenge.passkeyName,
    ],
  );
  if (!stored) throw new QuireError('CREDENTIAL_EXISTS', 'This passkey is already registered');
  return stored;
}

async function roleOf(tx: Queryable, userId: string): Promise<number> {
  const [user] = await tx.query<{ role: number }>('SELECT role FROM users WHERE id = $1', [userId]);
  return user?.role ?? 0;
}

type VerifiedPasskey = NonNullable<VerifiedRegistrationResponse['registrationInfo']>;

/** @throws QuireError VALIDATION_ERROR */
async function verified(
  { id, origins }: RelyingParty,
  credential: RegistrationCredential,
  { expectedChallenge, role }: { expectedChallenge: string; role: number },
): Promise<VerifiedPasskey> {
  const { authenticatorAttachment: _, response, ...rest } = credential;
  const { verified: holds, registrationInfo } = await verifyRegistrationResponse({
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
  // The authenticator signs its own name for the passkey, not the one beside it.
  if (!holds || registrationInfo.credential.id !== credential.id) throw invalidPasskeyError();
  return registrationInfo;
}

function invalidPasskeyError(cause?: unknown): QuireError {
  const { message, details } = invalidInput([
    { path: 'credential', message: 'is not a valid passkey for this site' },
  ]);
  return new QuireError('VALIDATION_ERROR', message, { ...(details ? { details } : {}), cause });
}

export function passkeyLimitError(): QuireError {
  return new QuireError('PASSKEY_LIMIT', `A user has at most ${maxPasskeys} passkeys; remove one first`);
}

function challengeExpiredError(): QuireError {
  return new QuireError('CHALLENGE_EXPIRED', 'The challenge has expired or was already used; start again');
}
