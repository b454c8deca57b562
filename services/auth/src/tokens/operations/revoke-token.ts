import type { Context } from '@quire/context';
import { notFound } from '@quire/errors';
import type { CacheRelay } from '@quire/messages';

/**
 * Ends one of the caller's tokens. Gateways forget it at once: the relay message goes out after the row is gone.
 * @throws QuireError NOT_FOUND for an id that is none of the caller's tokens.
 */
export async function revokeToken(ctx: Context, relay: CacheRelay, id: string): Promise<void> {
  const { tenant, userId } = ctx.principal;
  const revoked = await ctx.db.query('DELETE FROM api_tokens WHERE id = $1 AND user_id = $2 RETURNING id', [
    id,
    userId,
  ]);
  if (revoked.length === 0) throw notFound('token');
  relay.drop('credentials', tenant.id);
}
