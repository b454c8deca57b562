import type { Context } from '@quire/context';
import type { Queryable } from '@quire/database';
import { tokenHash } from '../../authentication/api-tokens/index.js';
import { deleteCodesOfUser } from '../authorize/oauth-codes.repository.js';
import { deleteDeviceCodesOfUser } from '../device/device-codes.repository.js';
import type { OAuthDeps } from '../oauth-deps.js';
import { familyHash } from './issue-grant.js';
import {
  deleteAccessToken,
  deleteGrantsOfRefreshToken,
  deleteGrantsOfUser,
} from './oauth-grants.repository.js';

/**
 * Deletes the grants, codes and approved devices of a user who is disabled. The caller invalidates the tenant's cached
 * credentials after the commit.
 */
export async function revokeGrants(tx: Queryable, userId: string): Promise<void> {
  await deleteGrantsOfUser(tx, userId);
  await deleteCodesOfUser(tx, userId);
  await deleteDeviceCodesOfUser(tx, userId);
}

/**
 * Revokes a token (RFC 7009): a refresh token, current or replaced, with its grant; an access token without its grant.
 * Unknown tokens, and tokens of other kinds, are no error.
 */
export async function revokeOAuthToken(
  ctx: Context,
  { relay, audit }: OAuthDeps,
  token: string,
): Promise<void> {
  const hash = tokenHash(token);
  await ctx.db.transaction(async (tx) => {
    const revoked = await deleteGrantsOfRefreshToken(tx, [familyHash(token), hash]);
    for (const { id, userId } of revoked) {
      const target = { type: 'grant', id } as const;
      const details = { reason: 'revoked' } as const;
      await audit.record(tx, { by: ctx, action: 'grant.ended', target, userId, details });
    }
    for (const { userId } of [...revoked, ...(await deleteAccessToken(tx, hash))])
      tx.afterCommit(() => relay.invalidate('credentials', ctx.principal.tenant.id, userId));
  });
}
