import type { Context } from '@quire/context';
import type { Transaction } from '@quire/database';
import { notFound, QuireError } from '@quire/errors';
import { isLastAdmin, mayAdminister } from './users.policy.js';
import { holdWithAdmins, type UserRow } from './users.repository.js';

/** A user whom nobody else changes meanwhile. */
export interface HeldUser {
  user: UserRow;
  /** Whether the site would be without an administrator if this one were none. */
  isLastAdmin: boolean;
  /** @throws QuireError FORBIDDEN when the caller has ceased to be an active administrator since the request came in. */
  requireStillAdmin: () => void;
}

/** Locks a user for a change, together with all active administrators. @throws QuireError NOT_FOUND */
export async function holdUser(tx: Transaction, ctx: Context, id: string): Promise<HeldUser> {
  const { userId } = ctx.principal;
  const people = await holdWithAdmins(tx, userId === null ? [id] : [id, userId]);
  const user = people.find((person) => person.id === id);
  if (!user) throw notFound('user');
  return {
    user,
    isLastAdmin: isLastAdmin(people, id),
    requireStillAdmin: () => {
      if (userId !== null && !mayAdminister(people, userId))
        throw new QuireError('FORBIDDEN', 'Your role does not allow this (users:manage)');
    },
  };
}
