import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';

/** Who is signed in. */
export interface Me {
  id: string;
  email: string;
  name: string | null;
  role: number;
  avatarUrl: string | null;
  /** True until the welcome is dismissed. */
  isFirstLogin: boolean;
}

/** The caller, by session or token. @throws QuireError NOT_AUTHENTICATED when the user is gone. */
export async function getMe(ctx: Context): Promise<Me> {
  const [me] = await ctx.db.query<Me>(
    `SELECT id, email, name, role, avatar_url AS "avatarUrl", NOT welcomed AS "isFirstLogin" FROM users WHERE id = $1`,
    [ctx.principal.userId],
  );
  if (!me) throw new QuireError('NOT_AUTHENTICATED', 'Sign in, or send a Bearer token');
  return me;
}

export async function dismissWelcome(ctx: Context): Promise<void> {
  await ctx.db.query('UPDATE users SET welcomed = true WHERE id = $1', [ctx.principal.userId]);
}
