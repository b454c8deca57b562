import type { Context } from '@quire/context';
import type { DefaultRolePolicy } from '../../../users/allowed-domains/index.js';
import {
  createRegistrationOptions,
  type RegistrationOptions,
  type RelyingPartyFactory,
} from '../../../authentication/passkeys/index.js';
import { lockSignup } from '../signups.repository.js';

/**
 * What the browser of somebody who signs up needs to make a passkey.
 * @throws QuireError INVALID_TOKEN, TOKEN_EXPIRED, USER_EXISTS, DOMAIN_NOT_ALLOWED.
 */
export async function startSignupPasskey(
  ctx: Context,
  { parties, defaultRoles }: { parties: RelyingPartyFactory; defaultRoles: DefaultRolePolicy },
  { token, name }: { token: string; name: string | null },
): Promise<RegistrationOptions> {
  const party = parties.of(ctx);
  return ctx.db.transaction(async (tx) => {
    const { email, userId } = await lockSignup(tx, token, defaultRoles);
    return createRegistrationOptions(tx, party, { purpose: 'signup', owner: { id: userId, email, name } });
  });
}
