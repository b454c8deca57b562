import type { Context } from '@quire/context';
import type { Sql } from '@quire/database';
import { QuireError } from '@quire/errors';
import type { AuditLog } from '../audit/index.js';
import { registerPasskey, type RegistrationCredential, type RelyingParty } from '../passkeys/index.js';
import { signIn } from '../sessions/index.js';

/** Somebody who comes by a link and brings his first passkey. */
export interface NewAccount {
  id: string;
  email: string;
  name: string | null;
  role: number;
  isEmailVerified: boolean;
  /** How he came. */
  purpose: 'invite' | 'signup';
  credential: RegistrationCredential;
  userAgent: string | undefined;
}

/** The new user, as the answer tells him. */
export interface AccountAnswer {
  id: string;
  email: string;
  name: string | null;
  role: number;
}

/**
 * Makes a user with his passkey and signs him in, in the caller's transaction.
 * @returns the user, and the text of the session's cookie.
 * @throws QuireError USER_EXISTS; CHALLENGE_EXPIRED, VALIDATION_ERROR, CREDENTIAL_EXISTS as `registerPasskey` says.
 */
export async function createAccount(
  tx: Sql,
  { ctx, party, audit }: { ctx: Context; party: RelyingParty; audit: AuditLog },
  account: NewAccount,
): Promise<{ user: AccountAnswer; session: string }> {
  const { id, email, name, role, isEmailVerified, purpose, credential, userAgent } = account;
  const made = await tx.query(
    `INSERT INTO users (id, email, name, role, email_verified) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT DO NOTHING RETURNING id`,
    [id, email, name, role, isEmailVerified],
  );
  if (made.length === 0) throw userExists();
  await registerPasskey(tx, party, { purpose, userId: id, credential });
  const target = { type: 'user', id } as const;
  const details = { role, method: purpose };
  await audit.record(tx, { by: ctx, actorId: id, action: 'user.created', target, details });
  const session = await signIn(tx, { ctx, audit }, { userId: id, method: purpose, userAgent });
  return { user: { id, email, name, role }, session };
}

/** @throws QuireError USER_EXISTS when somebody has the address. */
export async function noUserOf(sql: Sql, email: string): Promise<void> {
  const found = await sql.query('SELECT id FROM users WHERE email = $1', [email]);
  if (found.length > 0) throw userExists();
}

function userExists(): QuireError {
  return new QuireError('USER_EXISTS', 'There is a user with this e-mail address already');
}
