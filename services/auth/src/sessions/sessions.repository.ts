import type { Sql } from '@quire/database';
import { ulid } from 'ulid';
import { idleDays } from './session-cookie.js';

const clearedAtOnce = 100;

/** A session that is opened. */
export interface NewSession {
  tokenHash: string;
  userId: string;
  userAgent: string | null;
  clientAddress: string | null;
}

/** Stores a session, and forgets some that are over: nobody presents those again. */
export async function insertSession(tx: Sql, session: NewSession): Promise<void> {
  const { tokenHash, userId, userAgent, clientAddress } = session;
  await tx.query(
    `WITH over AS (
       DELETE FROM sessions WHERE id IN (
         SELECT id FROM sessions WHERE expires_at < now() LIMIT $7 FOR UPDATE SKIP LOCKED)
     )
     INSERT INTO sessions (id, token_hash, user_id, user_agent, client_address, expires_at)
     VALUES ($1, $2, $3, $4, $5, now() + $6 * interval '1 day')`,
    [ulid(), tokenHash, userId, userAgent, clientAddress, idleDays, clearedAtOnce],
  );
}

/** Ends the sessions of a user beyond the last used ones, and those that are over. */
export async function trimSessions(tx: Sql, userId: string, kept: number): Promise<void> {
  await tx.query(
    `DELETE FROM sessions WHERE user_id = $1 AND (expires_at <= now() OR id IN (
       SELECT id FROM sessions WHERE user_id = $1 ORDER BY last_seen_at DESC, id DESC OFFSET $2))`,
    [userId, kept],
  );
}
