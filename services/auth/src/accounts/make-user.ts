import type { Context } from '@quire/context';
import type { Sql } from '@quire/database';
import { QuireError } from '@quire/errors';
import type { AuditLog, SignInMethod } from '../audit/index.js';

/** Somebody who is to be a user. */
export interface NewUser {
  id: string;
  email: string;
  name: string | null;
  role: number;
  isEmailVerified: boolean;
  /** How he came. */
  method: SignInMethod;
}

/** Makes a user, in the caller's transaction. @throws QuireError USER_EXISTS when somebody has the address. */
export async function makeUser(
  tx: Sql,
  { ctx, audit }: { ctx: Context; audit: AuditLog },
  { id, email, name, role, isEmailVerified, method }: NewUser,
): Promise<void> {
  const made = await tx.query(
    `INSERT INTO users (id, email, name, role, email_verified) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT DO NOTHING RETURNING id`,
    [id, email, name, role, isEmailVerified],
  );
  if (made.length === 0) throw userExists();
  const target = { type: 'user', id } as const;
  const details = { role, method };
  await audit.record(tx, { by: ctx, actorId: id, action: 'user.created', target, details });
}

export function userExists(): QuireError {
  return new QuireError('USER_EXISTS', 'There is a user with this e-mail address already');
}
