import { verifyAuthenticationResponse } from '@simplewebauthn/server';
import type { Context } from '@quire/context';
import type { Queryable } from '@quire/database';
import { QuireError } from '@quire/errors';
import { roles } from '@quire/permissions';
import { signedChallenge, consumeChallenge, type ChallengePurpose } from '../challenges.js';
import { dummyPasskey } from '../dummy-passkey.js';
import type { AuthenticationCredential } from '../passkeys.schemas.js';
import { lockPasskeys } from '../passkeys.repository.js';
import type { RelyingPartyFactory, RelyingParty } from '../relying-party.js';

interface StoredPasskey {
  id: string;
  credentialId: string;
  userId: string;
  publicKey: Buffer;
  counter: number;
  /** Of its user. */
  role: number;
}

/** A signature that holds. */
export interface Assertion {
  passkeyId: string;
  userId: string;
  counter: number;
  isBackedUp: boolean;
}

/**
 * Checks a signature with a passkey. The challenge is used up whatever comes of it. Passkeys of administrators count
 * only when the authenticator has verified its user, by PIN or biometrics.
 * @param attempt.setSubject called with the owner of the passkey, as soon as it is known
 * @throws QuireError UNAUTHORIZED with one message for every failure.
 */
export async function verifyAssertion(
  ctx: Context,
  parties: RelyingPartyFactory,
  attempt: {
    credential: AuthenticationCredential;
    purpose: ChallengePurpose;
    setSubject?: (userId: string) => void;
  },
): Promise<Assertion> {
  const { credential, purpose, setSubject } = attempt;
  const party = parties.of(ctx);
  const text = signedChallenge(credential.response.clientDataJSON);
  const challenge = text === undefined ? undefined : await consumeChallenge(ctx.db, text, purpose);
  if (text === undefined || !challenge) throw assertionFailedError();
  const [found] = await ctx.db.query<StoredPasskey>(
    `SELECT p.id, p.credential_id AS "credentialId", p.user_id AS "userId", p.public_key AS "publicKey", p.counter, u.role
     FROM passkeys p JOIN users u ON u.id = p.user_id WHERE p.credential_id = $1`,
    [credential.id],
  );
  if (found) setSubject?.(found.userId);
  const isExpectedUser = challenge.userId === null || challenge.userId === found?.userId;
  const passkey = found && isExpectedUser ? found : dummyPasskey;
  const signed = await verified(party, { credential, passkey, challenge: text });
  return { passkeyId: passkey.id, userId: passkey.userId, ...signed };
}

/**
 * Notes the use of a passkey. Of two that sign with the same count at once, one is a copy: the other finds the count
 * gone up.
 * @throws QuireError UNAUTHORIZED
 */
export async function updatePasskeyUse(
  tx: Queryable,
  { passkeyId, userId, counter, isBackedUp }: Assertion,
): Promise<void> {
  // Locks the user first, in the same order as removePasskey, to avoid a deadlock.
  await lockPasskeys(tx, userId);
  const used = await tx.query(
    `UPDATE passkeys SET counter = $2, backed_up = $3, last_used_at = now()
     WHERE id = $1 AND (counter < $2 OR (counter = 0 AND $2 = 0)) RETURNING id`,
    [passkeyId, counter, isBackedUp],
  );
  if (used.length === 0) throw assertionFailedError();
}

export function assertionFailedError(cause?: unknown): QuireError {
  return new QuireError('UNAUTHORIZED', 'Passkey authentication failed', { cause });
}

/** @throws QuireError UNAUTHORIZED */
async function verified(
  { id, origins }: RelyingParty,
  attempt: { credential: AuthenticationCredential; passkey: StoredPasskey; challenge: string },
): Promise<Pick<Assertion, 'counter' | 'isBackedUp'>> {
  const { credential, passkey, challenge } = attempt;
  const { clientDataJSON, authenticatorData, signature, userHandle } = credential.response;
  if (userHandle && Buffer.from(userHandle, 'base64url').toString() !== passkey.userId)
    throw assertionFailedError();
  const { verified: holds, authenticationInfo } = await verifyAuthenticationResponse({
    response: {
      id: credential.id,
      rawId: credential.rawId,
      type: credential.type,
      response: { clientDataJSON, authenticatorData, signature },
      clientExtensionResults: {},
    },
    expectedChallenge: challenge,
    expectedOrigin: origins,
    expectedRPID: id,
    credential: {
      id: passkey.credentialId,
      publicKey: new Uint8Array(passkey.publicKey),
      counter: passkey.counter,
    },
    requireUserVerification: needsUserVerification(passkey.role),
  }).catch((error: unknown) => {
    throw assertionFailedError(error);
  });
  if (!holds) throw assertionFailedError();
  return { counter: authenticationInfo.newCounter, isBackedUp: authenticationInfo.credentialBackedUp };
}

/** Whether passkeys of a role count only with PIN or biometrics. */
export function needsUserVerification(role: number): boolean {
  return role >= roles.ADMIN;
}
