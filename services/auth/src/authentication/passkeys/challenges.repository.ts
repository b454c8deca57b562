import type { Queryable } from '@quire/database';
import { tokenHash } from '../api-tokens/index.js';

/** A challenge is valid only for the purpose that it was created for. */
export type ChallengePurpose = 'log-in' | 'reauthenticate' | 'add-passkey' | 'set-up' | 'invite' | 'signup';

/** The properties of a stored challenge. */
export interface Challenge {
  /** The user who may respond; null for any user. */
  userId: string | null;
  passkeyName: string | null;
}

const lifetimeMinutes = 5;
const pruneBatchSize = 100;

/** Inserts a challenge that is valid for five minutes, and deletes up to `pruneBatchSize` expired ones. */
export async function insertChallenge(
  sql: Queryable,
  text: string,
  { purpose, userId, passkeyName }: Challenge & { purpose: ChallengePurpose },
): Promise<void> {
  await sql.query(
    `WITH over AS (
       DELETE FROM passkey_challenges WHERE challenge_hash IN (
         SELECT challenge_hash FROM passkey_challenges WHERE expires_at < now() LIMIT $6 FOR UPDATE SKIP LOCKED)
     )
     INSERT INTO passkey_challenges (challenge_hash, purpose, user_id, passkey_name, expires_at)
     VALUES ($1, $2, $3, $4, now() + $5 * interval '1 minute')`,
    [tokenHash(text), purpose, userId, passkeyName, lifetimeMinutes, pruneBatchSize],
  );
}

/**
 * Consumes a challenge: deletes it, so that it is valid once.
 * @returns undefined when it is unknown, expired or used, or has another purpose.
 */
export async function consumeChallenge(
  sql: Queryable,
  text: string,
  purpose: ChallengePurpose,
): Promise<Challenge | undefined> {
  const [challenge] = await sql.query<Challenge & { isLive: boolean }>(
    `DELETE FROM passkey_challenges WHERE challenge_hash = $1 AND purpose = $2
     RETURNING user_id AS "userId", passkey_name AS "passkeyName", expires_at > now() AS "isLive"`,
    [tokenHash(text), purpose],
  );
  return challenge?.isLive ? challenge : undefined;
}
