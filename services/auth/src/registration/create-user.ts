import type { Context } from '@quire/context';
import type { Queryable } from '@quire/database';
import { QuireError } from '@quire/errors';
import type { AuditLog, SignInMethod } from '../audit/index.js';
import { insertUser, type NewUserRow } from '../users/index.js';

/** A user to be created. */
export interface NewUser extends NewUserRow {
  /** The method of the first sign-in. */
  method: SignInMethod;
}

/** Creates a user in the caller's transaction. @throws QuireError USER_EXISTS when the address is taken. */
export async function createUser(
  tx: Queryable,
  { ctx, audit }: { ctx: Context; audit: AuditLog },
  { method, ...user }: NewUser,
): Promise<void> {
  const { id, role } = user;
  if (!(await insertUser(tx, user))) throw userExistsError();
  const target = { type: 'user', id } as const;
  const details = { role, method };
  await audit.record(tx, { by: ctx, actorId: id, action: 'user.created', target, details });
}

export function userExistsError(): QuireError {
  return new QuireError('USER_EXISTS', 'A user with this e-mail address already exists');
}
