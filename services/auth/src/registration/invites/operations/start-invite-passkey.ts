import type { Context } from '@quire/context';
import { assertEmailAvailable } from '../../index.js';
import {
  createRegistrationOptions,
  type RegistrationOptions,
  type RelyingPartyFactory,
} from '../../../authentication/passkeys/index.js';
import { lockInvite } from '../invites.repository.js';

/** What the invitee's browser needs to make a passkey. @throws QuireError INVALID_TOKEN, TOKEN_EXPIRED, USER_EXISTS. */
export async function startInvitePasskey(
  ctx: Context,
  parties: RelyingPartyFactory,
  { token, name }: { token: string; name: string | null },
): Promise<RegistrationOptions> {
  const party = parties.of(ctx);
  return ctx.db.transaction(async (tx) => {
    const { email, userId } = await lockInvite(tx, token);
    await assertEmailAvailable(tx, email);
    return createRegistrationOptions(tx, party, { purpose: 'invite', owner: { id: userId, email, name } });
  });
}
