import { generateRegistrationOptions } from '@simplewebauthn/server';
import type { Queryable } from '@quire/database';
import { storeChallenge, type ChallengePurpose } from '../challenges.js';
import { selectDescriptors } from '../passkeys.repository.js';
import type { RegistrationOptions } from '../passkeys.schemas.js';
import type { RelyingParty } from '../relying-party.js';

/** Signatures that are accepted, best first: ES256, RS256. */
export const algorithms = [-7, -257];

const timeoutMs = 60_000;

/** For whom a passkey is to be made: a user, or one who is yet to be made and has their id already. */
export interface PasskeyOwner {
  id: string;
  email: string;
  name: string | null;
}

/**
 * What a browser needs to make a passkey, with a challenge that is good for this purpose and user, once, for five
 * minutes. `registerPasskey` takes what comes of it.
 */
export async function createRegistrationOptions(
  sql: Queryable,
  party: RelyingParty,
  request: { purpose: ChallengePurpose; owner: PasskeyOwner; passkeyName?: string | undefined },
): Promise<RegistrationOptions> {
  const { purpose, owner, passkeyName } = request;
  const excludeCredentials = await selectDescriptors(sql, owner.id);
  const { challenge, rp, user } = await generateRegistrationOptions({
    rpName: party.id,
    rpID: party.id,
    userID: new TextEncoder().encode(owner.id),
    userName: owner.email,
    userDisplayName: owner.name ?? owner.email,
  });
  await storeChallenge(sql, challenge, { purpose, userId: owner.id, passkeyName: passkeyName ?? null });
  return {
    challenge,
    rp: { name: rp.name, id: party.id },
    user,
    pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key', alg })),
    timeout: timeoutMs,
    attestation: 'none',
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
    ...(excludeCredentials.length > 0 ? { excludeCredentials } : {}),
  };
}
