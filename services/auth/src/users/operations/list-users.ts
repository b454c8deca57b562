import type { Context } from '@quire/context';
import { Parameters } from '@quire/database';
import { newestFirst, type Page } from '../../pagination/index.js';
import type { UserServices } from '../user-services.js';
import { findUsers } from '../users.repository.js';
import type { UserAnswer, UserQuery } from '../users.schemas.js';

/** One page of the users, newest first (contract 24). @throws QuireError INVALID_CURSOR */
export async function listUsers(
  ctx: Context,
  { credentials }: UserServices,
  { cursor, limit, ...filters }: UserQuery,
): Promise<Page<UserAnswer>> {
  const place = new Parameters();
  const boundTo = { operation: 'listUsers', tenant: ctx.principal.tenant.id, filters };
  const page = await newestFirst({ boundTo, table: 'users', place }, { cursor, limit }, (clause) =>
    findUsers(ctx.db, filters, place, clause),
  );
  const ids = page.items.map(({ id }) => id);
  const counts = await credentials.countsOf(ctx.db, ids);
  const none = { credentialCount: 0, oauthProviders: [] };
  return { ...page, items: page.items.map((user) => ({ ...user, ...(counts.get(user.id) ?? none) })) };
}
