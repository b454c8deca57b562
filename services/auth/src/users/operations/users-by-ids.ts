import type { Context } from '@quire/context';
import type { authApi } from '@quire/internal-api';

const statement =
  'SELECT id, name, email, avatar_url AS "avatarUrl" FROM users WHERE id = ANY($1) ORDER BY id';

/** The users of these ids; unknown ids are left out. */
export async function usersByIds(ctx: Context, ids: readonly string[]): Promise<authApi.PublicUser[]> {
  return ctx.db.query<authApi.PublicUser>(statement, [ids]);
}
