import type { Context } from '@quire/context';
import { noUserOf } from '../../accounts/index.js';
import {
  makeRegistrationOptions,
  type RegistrationOptions,
  type RelyingParties,
} from '../../passkeys/index.js';
import { holdInvite } from '../invites.repository.js';

/** What the invitee's browser needs to make a passkey. @throws QuireError INVALID_TOKEN, TOKEN_EXPIRED, USER_EXISTS. */
export async function startInvitePasskey(
  ctx: Context,
  parties: RelyingParties,
  { token, name }: { token: string; name: string | null },
): Promise<RegistrationOptions> {
  const party = parties.of(ctx);
  return ctx.db.transaction(async (tx) => {
    const { email, userId } = await holdInvite(tx, token);
    await noUserOf(tx, email);
    return makeRegistrationOptions(tx, party, { purpose: 'invite', owner: { id: userId, email, name } });
  });
}
