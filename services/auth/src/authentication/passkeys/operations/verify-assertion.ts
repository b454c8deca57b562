import { generateKeyPairSync } from 'node:crypto';
import { verifyAuthenticationResponse } from '@simplewebauthn/server';
import type { Context } from '@quire/context';
import type { Queryable } from '@quire/database';
import { QuireError } from '@quire/errors';
import { roles } from '@quire/permissions';
import { consumeChallenge, type ChallengePurpose } from '../challenges.repository.js';
import type { AuthenticationCredential } from '../passkeys.schemas.js';
import {
  lockPasskeys,
  selectStoredPasskey,
  updatePasskeyCounter,
  type StoredPasskey,
} from '../passkeys.repository.js';
import type { RelyingPartyFactory, RelyingParty } from '../relying-party.js';

const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const { x = '', y = '' } = publicKey.export({ format: 'jwk' });

/** A COSE key (EC2, ES256, P-256) whose private key is discarded. */
const coseKey = Buffer.concat([
  Buffer.from('a5010203262001215820', 'hex'),
  Buffer.from(x, 'base64url'),
  Buffer.from('225820', 'hex'),
  Buffer.from(y, 'base64url'),
]);

/** Replaces an unknown passkey, whose verification then takes as long as that of a wrong signature. */
const dummyPasskey: StoredPasskey = {
  id: '',
  credentialId: 'AA',
  userId: '',
  publicKey: coseKey,
  counter: 0,
  role: 0,
};

/** A verified signature. */
export interface Assertion {
  passkeyId: string;
  userId: string;
  counter: number;
  isBackedUp: boolean;
}

/**
 * Verifies a signature with a passkey and consumes the challenge, on success and failure. Passkeys of administrators
 * are valid only when the authenticator has verified its user, by PIN or biometrics.
 * @param attempt.setSubject called with the id of the passkey's user as soon as it is known
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
  const found = await selectStoredPasskey(ctx.db, credential.id);
  if (found) setSubject?.(found.userId);
  const isExpectedUser = challenge.userId === null || challenge.userId === found?.userId;
  const passkey = found && isExpectedUser ? found : dummyPasskey;
  const signed = await verifySignature(party, { credential, passkey, challenge: text });
  return { passkeyId: passkey.id, userId: passkey.userId, ...signed };
}

/**
 * Stores the use of a passkey. The counter must have increased, unless the authenticator does not count: of two uses
 * with the same counter, one is of a cloned authenticator and fails.
 * @throws QuireError UNAUTHORIZED
 */
export async function recordPasskeyUse(tx: Queryable, assertion: Assertion): Promise<void> {
  // Locks the user first, in the same order as removePasskey, to avoid a deadlock.
  await lockPasskeys(tx, assertion.userId);
  if (!(await updatePasskeyCounter(tx, assertion))) throw assertionFailedError();
}

/** @returns the one error of all failures, which does not reveal the cause. */
export function assertionFailedError(cause?: unknown): QuireError {
  return new QuireError('UNAUTHORIZED', 'Passkey authentication failed', { cause });
}

/** @throws QuireError UNAUTHORIZED */
async function verifySignature(
  { id, origins }: RelyingParty,
  attempt: { credential: AuthenticationCredential; passkey: StoredPasskey; challenge: string },
): Promise<Pick<Assertion, 'counter' | 'isBackedUp'>> {
  const { credential, passkey, challenge } = attempt;
  const { clientDataJSON, authenticatorData, signature, userHandle } = credential.response;
  if (userHandle && Buffer.from(userHandle, 'base64url').toString() !== passkey.userId)
    throw assertionFailedError();
  const { verified: isVerified, authenticationInfo } = await verifyAuthenticationResponse({
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
  if (!isVerified) throw assertionFailedError();
  return { counter: authenticationInfo.newCounter, isBackedUp: authenticationInfo.credentialBackedUp };
}

/** @returns the challenge in a browser's client data; undefined when the text is malformed. */
export function signedChallenge(clientDataJson: string): string | undefined {
  try {
    const data = JSON.parse(Buffer.from(clientDataJson, 'base64url').toString('utf8')) as {
      challenge?: unknown;
    } | null;
    return typeof data?.challenge === 'string' ? data.challenge : undefined;
  } catch {
    return undefined;
  }
}

/** Whether passkeys of a role are valid only with PIN or biometrics. */
export function needsUserVerification(role: number): boolean {
  return role >= roles.ADMIN;
}
