import type { Context } from '@quire/context';

/** The fields of a user that other services may read. */
export interface PublicUser {
  id: string;
  name: string | null;
  email: string;
  avatarUrl: string | null;
}

const statement =
  'SELECT id, name, email, avatar_url AS "avatarUrl" FROM users WHERE id = ANY($1) ORDER BY id';

/** The users of these ids; unknown ids are left out. */
export async function usersByIds(ctx: Context, ids: readonly string[]): Promise<PublicUser[]> {
  return ctx.db.query<PublicUser>(statement, [ids]);
}
