import type { Context } from '@quire/context';
import type { authApi } from '@quire/internal-api';

/**
 * Selects the token, personal or of an application, and records the use of a personal one, at most once a minute, in
 * one statement.
 */
const statement = {
  prepared: true,
  text: `
    WITH found AS (
      SELECT t.id, t.user_id, u.role, t.scopes, t.expires_at, t.last_used_at
      FROM api_tokens t JOIN users u ON u.id = t.user_id
      WHERE t.token_hash = $1 AND NOT u.disabled AND (t.expires_at IS NULL OR t.expires_at > now())
    ), used AS (
      UPDATE api_tokens SET last_used_at = now()
      WHERE id IN (SELECT id FROM found WHERE last_used_at IS NULL OR last_used_at < now() - interval '1 minute')
    )
    SELECT id AS "tokenId", 'personal' AS "tokenKind", user_id AS "userId", role, scopes, expires_at AS "expiresAt" FROM found
    UNION ALL
    SELECT g.id, 'oauth', g.user_id, u.role, g.access_scopes, g.access_expires_at
    FROM oauth_grants g JOIN users u ON u.id = g.user_id
    WHERE g.access_hash = $1 AND NOT u.disabled AND g.access_expires_at > now()`,
};

/**
 * Looks a Bearer token up by the SHA-256 of its text, so that the text itself travels no further than the gateway.
 * @returns undefined for a token that is unknown, expired or of a disabled user.
 */
export async function verifyBearer(
  ctx: Context,
  tokenHash: string,
): Promise<authApi.VerifiedBearer | undefined> {
  const [found] = await ctx.db.query<authApi.VerifiedBearer>({ ...statement, values: [tokenHash] });
  return found;
}
