import type { Context } from '@quire/context';
import type { Queryable } from '@quire/database';
import type { AuditLog, SignInMethod } from '../audit/index.js';
import { insertUser, type NewUserRow } from '../users/index.js';

/** Data of a new user. */
export interface NewUser extends NewUserRow {
  /** The method of the first sign-in. */
  method: SignInMethod;
}

/**
 * Creates a user and their audit record in the caller's transaction. All ways to register end here: invitations,
 * signups, external logins, the setup and edge access.
 * @returns false, with nothing changed, when the address is taken.
 */
export async function createUser(
  tx: Queryable,
  { ctx, audit }: { ctx: Context; audit: AuditLog },
  { method, ...user }: NewUser,
): Promise<boolean> {
  const { id, role } = user;
  if (!(await insertUser(tx, user))) return false;
  const target = { type: 'user', id } as const;
  const details = { role, method };
  await audit.record(tx, { by: ctx, actorId: id, action: 'user.created', target, details });
  return true;
}
