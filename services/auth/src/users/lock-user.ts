import type { Context } from '@quire/context';
import type { Transaction } from '@quire/database';
import { notFound, QuireError } from '@quire/errors';
import { isLastAdmin, canAdminister } from './users.policy.js';
import { lockUsersAndAdmins, type UserRow } from './users.repository.js';

/** A user whose row is locked. */
export interface LockedUser {
  user: UserRow;
  /** Whether the user is the only active administrator of the site. */
  isLastAdmin: boolean;
  /** @throws QuireError FORBIDDEN when the caller is no longer an active administrator. */
  assertStillAdmin: () => void;
}

/** Locks a user, the caller and all active administrators for an update. @throws QuireError NOT_FOUND */
export async function lockUser(tx: Transaction, ctx: Context, id: string): Promise<LockedUser> {
  const { userId } = ctx.principal;
  const users = await lockUsersAndAdmins(tx, userId === null ? [id] : [id, userId]);
  const user = users.find((candidate) => candidate.id === id);
  if (!user) throw notFound('user');
  return {
    user,
    isLastAdmin: isLastAdmin(users, id),
    assertStillAdmin: () => {
      if (userId !== null && !canAdminister(users, userId))
        throw new QuireError('FORBIDDEN', 'Your role does not allow this (users:manage)');
    },
  };
}
