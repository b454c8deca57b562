import type { Context } from '@quire/context';
import type { Queryable } from '@quire/database';
import { QuireError } from '@quire/errors';
import type { AuditLog } from '../audit/index.js';
import {
  registerPasskey,
  type RegistrationCredential,
  type RelyingParty,
  type SignedInUser,
} from '../authentication/passkeys/index.js';
import { signIn } from '../authentication/sessions/index.js';
import { isEmailTaken } from '../users/index.js';
import { createUser, type NewUser } from './create-user.js';

/** Input of a registration by link, with the first passkey. */
export interface LinkRegistrationInput {
  token: string;
  credential: RegistrationCredential;
  name: string | null;
  userAgent: string | undefined;
}

/** Data of an account that is created from a link. */
interface NewAccount
  extends Omit<NewUser, 'method'>, Pick<LinkRegistrationInput, 'credential' | 'userAgent'> {
  /** The kind of the link. */
  purpose: 'invite' | 'signup';
}

/**
 * Creates a user with a passkey and signs them in, in the caller's transaction.
 * @returns the user, and the text of the session's cookie.
 * @throws QuireError USER_EXISTS; CHALLENGE_EXPIRED, VALIDATION_ERROR, CREDENTIAL_EXISTS as `registerPasskey`.
 */
export async function createAccount(
  tx: Queryable,
  { ctx, party, audit }: { ctx: Context; party: RelyingParty; audit: AuditLog },
  account: NewAccount,
): Promise<{ user: SignedInUser; session: string }> {
  const { id, email, name, role, purpose, credential, userAgent } = account;
  const newUser = { id, email, name, role, isEmailVerified: account.isEmailVerified, method: purpose };
  if (!(await createUser(tx, { ctx, audit }, newUser))) throw userExistsError();
  await registerPasskey(tx, party, { purpose, userId: id, credential });
  const session = await signIn(tx, { ctx, audit }, { userId: id, method: purpose, userAgent });
  return { user: { id, email, name, role }, session };
}

/** @throws QuireError USER_EXISTS when the address is taken. */
export async function assertEmailAvailable(sql: Queryable, email: string): Promise<void> {
  if (await isEmailTaken(sql, email)) throw userExistsError();
}

/** The error for an address that another user has. */
export function userExistsError(): QuireError {
  return new QuireError('USER_EXISTS', 'A user with this e-mail address already exists');
}
