import type { Queryable } from '@quire/database';
import { QuireError } from '@quire/errors';
import { assertEmailAvailable } from '../index.js';
import { defaultRoleForDomain, type DefaultRolePolicy } from '../../users/allowed-domains/index.js';
import { tokenHash } from '../../authentication/api-tokens/index.js';

export interface OpenSignup {
  email: string;
  userId: string;
  /** What the domain gives, as it is now. */
  role: number;
}

/**
 * The signup of a link, held until the end of the transaction, as long as its domain is allowed.
 * @throws QuireError INVALID_TOKEN for a link that is unknown or used, TOKEN_EXPIRED, USER_EXISTS, DOMAIN_NOT_ALLOWED.
 */
export async function lockSignup(
  tx: Queryable,
  token: string,
  defaultRoles: DefaultRolePolicy,
): Promise<OpenSignup> {
  const [signup] = await tx.query<{ email: string; userId: string; isLive: boolean }>(
    `SELECT email, user_id AS "userId", expires_at > now() AS "isLive" FROM signups WHERE token_hash = $1 FOR UPDATE`,
    [tokenHash(token)],
  );
  if (!signup) throw new QuireError('INVALID_TOKEN', 'This link is unknown or used');
  if (!signup.isLive) throw new QuireError('TOKEN_EXPIRED', 'This link has expired; ask for a new one');
  const { email, userId } = signup;
  await assertEmailAvailable(tx, email);
  const role = await defaultRoleForDomain(tx, email);
  if (role === undefined)
    throw new QuireError('DOMAIN_NOT_ALLOWED', 'Users of this domain can no longer sign up');
  return { email, userId, role: defaultRoles.cap(role) };
}
