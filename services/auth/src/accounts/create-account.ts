import type { Context } from '@quire/context';
import type { Sql } from '@quire/database';
import type { AuditLog } from '../audit/index.js';
import {
  registerPasskey,
  type RegistrationCredential,
  type RelyingParty,
  type SignedInUser,
} from '../passkeys/index.js';
import { signIn } from '../sessions/index.js';
import { makeUser, userExists, type NewUser } from './make-user.js';

/** What somebody sends who comes by a link and brings his first passkey. */
export interface SentByLink {
  token: string;
  credential: RegistrationCredential;
  name: string | null;
  userAgent: string | undefined;
}

/** Somebody who came by a link. */
export interface NewAccount extends Omit<NewUser, 'method'>, Pick<SentByLink, 'credential' | 'userAgent'> {
  /** How he came. */
  purpose: 'invite' | 'signup';
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
): Promise<{ user: SignedInUser; session: string }> {
  const { id, email, name, role, purpose, credential, userAgent } = account;
  await makeUser(tx, { ctx, audit }, { ...account, method: purpose });
  await registerPasskey(tx, party, { purpose, userId: id, credential });
  const session = await signIn(tx, { ctx, audit }, { userId: id, method: purpose, userAgent });
  return { user: { id, email, name, role }, session };
}

/** @throws QuireError USER_EXISTS when somebody has the address. */
export async function noUserOf(sql: Sql, email: string): Promise<void> {
  const found = await sql.query('SELECT id FROM users WHERE email = $1', [email]);
  if (found.length > 0) throw userExists();
}
