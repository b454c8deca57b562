import type { Context } from '@quire/context';
import { invalidInput } from '@quire/errors';
import type { AuthClient } from '../clients/index.js';

interface UserLinkInput {
  userId?: string | null | undefined;
  isGuest?: boolean | undefined;
}

/**
 * Whose byline it is, as far as the input says: a guest's, or linked to a user (spec document 2). Linking one ends that
 * it is a guest's, and making it a guest's ends the link.
 * @throws QuireError VALIDATION_ERROR (both at once, or no such user), SERVICE_UNAVAILABLE.
 */
export async function validateUserLink(
  ctx: Context,
  users: AuthClient,
  { userId, isGuest }: UserLinkInput,
): Promise<UserLinkInput> {
  if (typeof userId !== 'string') return isGuest ? { userId: null, isGuest } : { userId, isGuest };
  if (isGuest)
    throw invalidInput([{ path: 'isGuest', message: 'must be false for a byline that is linked to a user' }]);
  const known = await users.byIds(ctx, [userId]);
  if (known.length === 0) throw invalidInput([{ path: 'userId', message: `'${userId}' is not a user` }]);
  return { userId, isGuest: false };
}
