import type { Context } from '@quire/context';
import type { DefaultRolePolicy } from '../../allowed-domains/index.js';
import {
  makeRegistrationOptions,
  type RegistrationOptions,
  type RelyingParties,
} from '../../passkeys/index.js';
import { holdSignup } from '../signups.repository.js';

/**
 * What the browser of somebody who signs up needs to make a passkey.
 * @throws QuireError INVALID_TOKEN, TOKEN_EXPIRED, USER_EXISTS, DOMAIN_NOT_ALLOWED.
 */
export async function startSignupPasskey(
  ctx: Context,
  { parties, defaultRoles }: { parties: RelyingParties; defaultRoles: DefaultRolePolicy },
  { token, name }: { token: string; name: string | null },
): Promise<RegistrationOptions> {
  const party = parties.of(ctx);
  return ctx.db.transaction(async (tx) => {
    const { email, userId } = await holdSignup(tx, token, defaultRoles);
    return makeRegistrationOptions(tx, party, { purpose: 'signup', owner: { id: userId, email, name } });
  });
}
