import type { Context } from '@quire/context';
import type { Transaction } from '@quire/database';
import { notFound, QuireError } from '@quire/errors';
import { isLastAdmin, canAdminister } from './users.policy.js';
import { lockUsersAndAdmins, type UserRow } from './users.repository.js';

/** A user whose row is locked. */
export interface LockedUser {
  user: UserRow;
  /** Whether the site would be without an administrator if this one were none. */
  isLastAdmin: boolean;
  /**
   * @throws QuireError FORBIDDEN when the caller has ceased to be an active administrator since the request came in.
   */
  assertStillAdmin: () => void;
}

/** Locks a user for a change, together with all active administrators. @throws QuireError NOT_FOUND */
export async function lockUser(tx: Transaction, ctx: Context, id: string): Promise<LockedUser> {
  const { userId } = ctx.principal;
  const people = await lockUsersAndAdmins(tx, userId === null ? [id] : [id, userId]);
  const user = people.find((person) => person.id === id);
  if (!user) throw notFound('user');
  return {
    user,
    isLastAdmin: isLastAdmin(people, id),
    assertStillAdmin: () => {
      if (userId !== null && !canAdminister(people, userId))
        throw new QuireError('FORBIDDEN', 'Your role does not allow this (users:manage)');
    },
  };
}
