import type { Context } from '@quire/context';
import type { Sql } from '@quire/database';
import { QuireError } from '@quire/errors';
import type { AuditLog, SignInMethod } from '../audit/index.js';
import { insertUser, type UserRow } from '../users/index.js';

/** Somebody who is to be a user. */
export interface NewUser extends UserRow {
  /** How he came. */
  method: SignInMethod;
}

/** Makes a user, in the caller's transaction. @throws QuireError USER_EXISTS when somebody has the address. */
export async function makeUser(
  tx: Sql,
  { ctx, audit }: { ctx: Context; audit: AuditLog },
  { method, ...user }: NewUser,
): Promise<void> {
  const { id, role } = user;
  if (!(await insertUser(tx, user))) throw userExists();
  const target = { type: 'user', id } as const;
  const details = { role, method };
  await audit.record(tx, { by: ctx, actorId: id, action: 'user.created', target, details });
}

export function userExists(): QuireError {
  return new QuireError('USER_EXISTS', 'There is a user with this e-mail address already');
}
