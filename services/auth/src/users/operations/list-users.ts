import type { Context } from '@quire/context';
import { cursorScope, KeysetPage } from '@quire/database';
import type { UserDeps } from '../user-deps.js';
import { selectUsers, userOrder } from '../users.repository.js';
import type { UserResponse, UserQuery } from '../users.schemas.js';

/** One page of the users, newest first (contract 24). @throws QuireError INVALID_CURSOR */
export async function listUsers(
  ctx: Context,
  { credentials }: UserDeps,
  { cursor, limit, ...filters }: UserQuery,
): Promise<{ items: UserResponse[]; nextCursor?: string }> {
  const scope = cursorScope({ operation: 'listUsers', tenant: ctx.principal.tenant.id, filters });
  const keyset = new KeysetPage(userOrder, scope, { cursor, limit });
  const rows = await selectUsers(ctx.db, filters, keyset);
  const page = keyset.cut(rows, ({ createdAt, id }) => ({ value: createdAt, id }));
  const ids = page.items.map(({ id }) => id);
  const counts = await credentials.countsOf(ctx.db, ids);
  const none = { credentialCount: 0, oauthProviders: [] };
  return { ...page, items: page.items.map((user) => ({ ...user, ...(counts.get(user.id) ?? none) })) };
}
