import type { Context } from '@quire/context';
import { ApiToken } from '../api-token.entity.js';

/** The caller's own tokens, newest first, without their texts. */
export async function listApiTokens(ctx: Context): Promise<ApiToken[]> {
  return ctx.db.transaction((tx) =>
    tx
      .repository(ApiToken)
      .find({ where: { userId: ctx.principal.userId ?? '' }, order: { createdAt: 'DESC', id: 'DESC' } }),
  );
}
