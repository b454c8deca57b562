import type { Context } from '@quire/context';
import { roleNamed } from '@quire/permissions';
import { assertEmailAvailable } from '../../index.js';
import { missingToken } from '../../../mail/links/index.js';
import { lockInvite } from '../invites.repository.js';

/** What an invitation says. @throws QuireError MISSING_PARAM, INVALID_TOKEN, TOKEN_EXPIRED, USER_EXISTS. */
export async function readInvite(
  ctx: Context,
  token: string | undefined,
): Promise<{ email: string; role: number; roleName: string }> {
  if (!token) throw missingToken();
  return ctx.db.transaction(async (tx) => {
    const { email, role } = await lockInvite(tx, token);
    await assertEmailAvailable(tx, email);
    return { email, role, roleName: roleNamed(role) ?? '' };
  });
}
