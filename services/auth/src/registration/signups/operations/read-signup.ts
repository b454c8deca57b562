import type { Context } from '@quire/context';
import { roleNamed } from '@quire/permissions';
import type { DefaultRolePolicy } from '../../../users/allowed-domains/index.js';
import { missingToken } from '../../../mail/links/index.js';
import { lockSignup } from '../signups.repository.js';

/**
 * For whom a link to sign up is, and the role that they will have.
 * @throws QuireError MISSING_PARAM, INVALID_TOKEN, TOKEN_EXPIRED, USER_EXISTS, DOMAIN_NOT_ALLOWED.
 */
export async function readSignup(
  ctx: Context,
  defaultRoles: DefaultRolePolicy,
  token: string | undefined,
): Promise<{ email: string; role: number; roleName: string }> {
  if (!token) throw missingToken();
  const { email, role } = await ctx.db.transaction((tx) => lockSignup(tx, token, defaultRoles));
  return { email, role, roleName: roleNamed(role) ?? '' };
}
