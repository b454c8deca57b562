import type { Context } from '@quire/context';
import { notAuthenticated } from '@quire/operation';

/** @returns the id of the caller. @throws QuireError NOT_AUTHENTICATED when the caller is no user */
export function callerOf({ principal: { userId } }: Context): string {
  if (userId === null) throw notAuthenticated();
  return userId;
}
