import type { Context } from '@quire/context';
import { roleNamed } from '@quire/permissions';
import { noUserOf } from '../../accounts/index.js';
import { missingToken } from '../../links/index.js';
import { holdInvite } from '../invites.repository.js';

/** What an invitation says. @throws QuireError MISSING_PARAM, INVALID_TOKEN, TOKEN_EXPIRED, USER_EXISTS. */
export async function readInvite(
  ctx: Context,
  token: string | undefined,
): Promise<{ email: string; role: number; roleName: string }> {
  if (!token) throw missingToken();
  return ctx.db.transaction(async (tx) => {
    const { email, role } = await holdInvite(tx, token);
    await noUserOf(tx, email);
    return { email, role, roleName: roleNamed(role) ?? '' };
  });
}
