import type { Context } from '@quire/context';
import { notFound } from '@quire/errors';
import type { UserDeps } from '../user-deps.js';
import { selectUser } from '../users.repository.js';
import type { UserDetail } from '../users.schemas.js';

/** A user with all they sign in with. @throws QuireError NOT_FOUND */
export async function getUser(ctx: Context, { credentials }: UserDeps, id: string): Promise<UserDetail> {
  const user = await selectUser(ctx.db, id);
  if (!user) throw notFound('user');
  return { ...user, ...(await credentials.of(ctx.db, id)) };
}
