import { orWhenReadOnly, type Queryable } from '@quire/database';
import type { authApi } from '@quire/internal-api';

const foundToken = `found AS (
      SELECT t.id, t.user_id, u.role, t.scopes, t.expires_at, t.last_used_at
      FROM api_tokens t JOIN users u ON u.id = t.user_id
      WHERE t.token_hash = $1 AND NOT u.disabled AND (t.expires_at IS NULL OR t.expires_at > now())
    )`;
const verifiedBearer = `
    SELECT id AS "tokenId", 'personal' AS "tokenKind", NULL AS "clientId", user_id AS "userId", role, scopes,
      expires_at AS "expiresAt"
    FROM found
    UNION ALL
    SELECT g.id, 'oauth', g.client_id, g.user_id, u.role, g.access_scopes, g.access_expires_at
    FROM oauth_grants g JOIN users u ON u.id = g.user_id
    WHERE g.access_hash = $1 AND NOT u.disabled AND g.access_expires_at > now()`;

/** Selects the token, personal or of an application, and stores the use of a personal one, at most once a minute. */
const bearerStatement = {
  prepared: true,
  text: `
    WITH ${foundToken}, used AS (
      UPDATE api_tokens SET last_used_at = now()
      WHERE id IN (SELECT id FROM found WHERE last_used_at IS NULL OR last_used_at < now() - interval '1 minute')
    )
    ${verifiedBearer}`,
};

/**
 * The use of a token is not stored while its site is read-only.
 * @returns the valid Bearer token with this hash; undefined when there is none, or its user is disabled.
 */
export async function selectBearer(
  sql: Queryable,
  tokenHash: string,
): Promise<authApi.VerifiedBearer | undefined> {
  const verify = sql.query<authApi.VerifiedBearer>({ ...bearerStatement, values: [tokenHash] });
  const [found] = await orWhenReadOnly(verify, () =>
    sql.query<authApi.VerifiedBearer>(`WITH ${foundToken} ${verifiedBearer}`, [tokenHash]),
  );
  return found;
}

/** A token by the name that its user gave it, or by that of its application. */
export interface TokenName {
  id: string;
  name: string;
}

/** @returns the tokens with these ids. One of a device without a registered application has no name: it is left out. */
export function selectTokenNames(sql: Queryable, ids: readonly string[]): Promise<TokenName[]> {
  return sql.query<TokenName>(
    `SELECT id, name FROM api_tokens WHERE id = ANY($1)
     UNION ALL
     SELECT g.id, c.name FROM oauth_grants g JOIN oauth_clients c ON c.id = g.client_id WHERE g.id = ANY($1)`,
    [ids],
  );
}

/** Whether the use of a token by a client address was audited within the last hour. */
export async function isTokenUseAudited(
  sql: Queryable,
  tokenId: string,
  clientAddress: string | null,
): Promise<boolean> {
  const audited = await sql.query(
    `SELECT 1 FROM audit_log
     WHERE action = 'token.used' AND created_at > now() - interval '1 hour'
       AND target_id = $1 AND (client_address = $2::text OR $2::text IS NULL AND client_address IS NULL)
     LIMIT 1`,
    [tokenId, clientAddress],
  );
  return audited.length > 0;
}
