import type { Context } from '@quire/context';
import type { Queryable } from '@quire/database';
import { tokenHash } from '../../../authentication/api-tokens/index.js';
import type { OAuthDeps } from '../../oauth-deps.js';
import { familyHash } from '../issue-grant.js';

/**
 * Ends all that a user granted to applications, and what is on the way to being granted: for a user who is disabled.
 * The caller drops the cached credentials of the tenant after the commit.
 */
export async function revokeGrants(tx: Queryable, userId: string): Promise<void> {
  await tx.query('DELETE FROM oauth_grants WHERE user_id = $1', [userId]);
  await tx.query('DELETE FROM oauth_codes WHERE user_id = $1', [userId]);
  await tx.query('DELETE FROM oauth_device_codes WHERE user_id = $1', [userId]);
}

/**
 * Ends a token (RFC 7009): a refresh token, be it replaced or not, with all that it gave; an access token alone.
 * Unknown tokens, and those of other kinds, are no failure.
 */
export async function revokeOAuthToken(
  ctx: Context,
  { relay, audit }: OAuthDeps,
  token: string,
): Promise<void> {
  const hash = tokenHash(token);
  await ctx.db.transaction(async (tx) => {
    const ended = await tx.query<{ id: string; userId: string }>(
      'DELETE FROM oauth_grants WHERE family_hash IN ($1, $2) RETURNING id, user_id AS "userId"',
      [familyHash(token), hash],
    );
    for (const { id, userId } of ended) {
      const target = { type: 'grant', id } as const;
      await audit.record(tx, {
        by: ctx,
        action: 'grant.ended',
        target,
        userId,
        details: { reason: 'revoked' },
      });
    }
    const cleared = await tx.query(
      'UPDATE oauth_grants SET access_hash = NULL WHERE access_hash = $1 RETURNING id',
      [hash],
    );
    if (ended.length + cleared.length > 0)
      tx.afterCommit(() => relay.invalidate('credentials', ctx.principal.tenant.id));
  });
}
