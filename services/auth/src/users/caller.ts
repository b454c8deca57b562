import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';

/** @returns the id of the caller. @throws QuireError NOT_AUTHENTICATED when the caller is no user */
export function callerOf({ principal: { userId } }: Context): string {
  if (userId === null) throw new QuireError('NOT_AUTHENTICATED', 'Sign in, or send a Bearer token');
  return userId;
}
