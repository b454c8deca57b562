import type { Context } from '@quire/context';
import type { authApi } from '@quire/internal-api';
import { idleDays, maxSessionDays } from '../session-cookie.js';

/**
 * Selects the session and extends it, at most once a minute, in one statement. It deletes expired sessions and those of
 * disabled users.
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
 * Selects a session by the SHA-256 of its cookie's text.
 * @returns undefined for an unknown or expired session.
 */
export async function verifySession(
  ctx: Context,
  tokenHash: string,
): Promise<authApi.VerifiedSession | undefined> {
  const [found] = await ctx.db.query<authApi.VerifiedSession>({
    ...statement,
    values: [tokenHash, idleDays, maxSessionDays],
  });
  return found;
}
