import type { Context } from '@quire/context';
import { idleDays, maxSessionDays } from '../session-cookie.js';

/** Whom a session cookie stands for. */
export interface VerifiedSession {
  sessionId: string;
  userId: string;
  role: number;
  disabled: boolean;
  /** ISO time of the last sign-in or passkey check. */
  authenticatedAt: string;
  /** ISO time after which the answer must not be used. */
  expiresAt: string;
}

/**
 * Finds the session and lets it last on, at most once a minute, in one statement. Sessions of disabled users end here,
 * and so do those that are over.
 */
const statement = {
  prepared: true,
  text: `
    WITH found AS (
      SELECT s.id, s.user_id, u.role, u.disabled, s.authenticated_at, s.expires_at, s.last_seen_at
      FROM sessions s JOIN users u ON u.id = s.user_id WHERE s.token_hash = $1 AND s.expires_at > now()
    ), ended AS (
      DELETE FROM sessions WHERE token_hash = $1 AND (expires_at <= now() OR id IN (SELECT id FROM found WHERE disabled))
    ), used AS (
      UPDATE sessions SET last_seen_at = now(), expires_at = least(
        now() + $2 * interval '1 day', created_at + $3 * interval '1 day')
      WHERE id IN (SELECT id FROM found WHERE NOT disabled AND last_seen_at < now() - interval '1 minute')
    )
    SELECT id AS "sessionId", user_id AS "userId", role, disabled, authenticated_at AS "authenticatedAt",
      expires_at AS "expiresAt" FROM found`,
};

/**
 * Looks a session up by the SHA-256 of its cookie's text.
 * @returns undefined for one that is unknown or over.
 */
export async function verifySession(ctx: Context, tokenHash: string): Promise<VerifiedSession | undefined> {
  const [found] = await ctx.db.query<VerifiedSession>({
    ...statement,
    values: [tokenHash, idleDays, maxSessionDays],
  });
  return found;
}
