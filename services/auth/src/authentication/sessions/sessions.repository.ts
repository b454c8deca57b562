import type { Queryable } from '@quire/database';
import { ulid } from 'ulid';
import { idleDays } from './session-cookie.js';

const pruneBatchSize = 100;

/** A session that is opened. */
export interface NewSession {
  tokenHash: string;
  userId: string;
  userAgent: string | null;
  clientAddress: string | null;
}

/** Stores a session, and forgets some that are over: nobody presents those again. */
export async function insertSession(tx: Queryable, session: NewSession): Promise<void> {
  const { tokenHash, userId, userAgent, clientAddress } = session;
  await tx.query(
    `WITH over AS (
       DELETE FROM sessions WHERE id IN (
         SELECT id FROM sessions WHERE expires_at < now() LIMIT $7 FOR UPDATE SKIP LOCKED)
     )
     INSERT INTO sessions (id, token_hash, user_id, user_agent, client_address, expires_at)
     VALUES ($1, $2, $3, $4, $5, now() + $6 * interval '1 day')`,
    [ulid(), tokenHash, userId, userAgent, clientAddress, idleDays, pruneBatchSize],
  );
}

/**
 * Remembers the browser of a sign-in.
 * @returns whether the user has signed in before, and never with this one.
 */
export async function insertUserBrowser(tx: Queryable, userId: string, name: string): Promise<boolean> {
  const [remembered] = await tx.query<{ isFurther: boolean }>(
    `INSERT INTO user_browsers (user_id, name) VALUES ($1, $2) ON CONFLICT DO NOTHING
     RETURNING EXISTS (SELECT FROM user_browsers WHERE user_id = $1) AS "isFurther"`,
    [userId, name],
  );
  return remembered?.isFurther ?? false;
}

/**
 * Notes that the user of a session has just proved to be there. The session gets another cookie: what is remembered of
 * the old one in any process says nothing of that.
 * @returns false when the session is over.
 */
export async function renewSession(
  tx: Queryable,
  session: { id: string; userId: string; tokenHash: string },
): Promise<boolean> {
  const renewed = await tx.query(
    `UPDATE sessions SET authenticated_at = now(), token_hash = $3
     WHERE id = $1 AND user_id = $2 AND expires_at > now() RETURNING id`,
    [session.id, session.userId, session.tokenHash],
  );
  return renewed.length > 0;
}

/** Ends the sessions of a user beyond the last used ones, and those that are over. */
export async function trimSessions(tx: Queryable, userId: string, maxSessions: number): Promise<void> {
  await tx.query(
    `DELETE FROM sessions WHERE user_id = $1 AND (expires_at <= now() OR id IN (
       SELECT id FROM sessions WHERE user_id = $1 ORDER BY last_seen_at DESC, id DESC OFFSET $2))`,
    [userId, maxSessions],
  );
}
