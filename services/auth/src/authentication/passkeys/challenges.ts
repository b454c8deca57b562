import type { Queryable } from '@quire/database';
import { tokenHash } from '../api-tokens/index.js';

/** What a challenge was given out for: it counts for nothing else. */
export type ChallengePurpose = 'log-in' | 'reauthenticate' | 'add-passkey' | 'set-up' | 'invite' | 'signup';

export interface Challenge {
  /** Whose answer counts; null for anybody's. */
  userId: string | null;
  passkeyName: string | null;
}

const lifetimeMinutes = 5;
const pruneBatchSize = 100;

/** Remembers a challenge for five minutes, and forgets some that are over. */
export async function storeChallenge(
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
 * Takes a challenge back; nobody can take it again.
 * @returns undefined when it is unknown, over, used, or was given out for something else.
 */
export async function consumeChallenge(
  sql: Queryable,
  text: string,
  purpose: ChallengePurpose,
): Promise<Challenge | undefined> {
  const [taken] = await sql.query<Challenge & { isLive: boolean }>(
    `DELETE FROM passkey_challenges WHERE challenge_hash = $1 AND purpose = $2
     RETURNING user_id AS "userId", passkey_name AS "passkeyName", expires_at > now() AS "isLive"`,
    [tokenHash(text), purpose],
  );
  return taken?.isLive ? taken : undefined;
}

/** The challenge that an authenticator says it signed; undefined when the text is not what browsers make. */
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
