import { generateRegistrationOptions } from '@simplewebauthn/server';
import type { Queryable } from '@quire/database';
import { insertChallenge, type ChallengePurpose } from '../challenges.repository.js';
import { selectDescriptors, type PasskeyOwner } from '../passkeys.repository.js';
import type { RegistrationOptions } from '../passkeys.schemas.js';
import type { RelyingParty } from '../relying-party.js';

/** Accepted signature algorithms by preference: ES256, RS256 (COSE numbers). */
export const algorithms = [-7, -257];

const timeoutMs = 60_000;

/**
 * Creates the options with which a browser creates a passkey; `registerPasskey` verifies the result. The challenge is
 * valid once, for five minutes, and only for this purpose and user.
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
  await insertChallenge(sql, challenge, { purpose, userId: owner.id, passkeyName: passkeyName ?? null });
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
