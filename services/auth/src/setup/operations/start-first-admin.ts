import type { Context } from '@quire/context';
import {
  makeRegistrationOptions,
  type RegistrationOptions,
  type RelyingParties,
} from '../../passkeys/index.js';
import type { SetupAccess } from '../setup-access.js';
import { inSetup, type SaidInSetup } from './say-first-user.js';

/**
 * Begins to make the first user.
 * @returns what the browser needs to make a passkey, and the nonce that it is to bring back as a cookie.
 * @throws QuireError SETUP_COMPLETE, ADMIN_EXISTS, FORBIDDEN without the setup link, VALIDATION_ERROR for what is no
 * address.
 */
export async function startFirstAdmin(
  ctx: Context,
  { parties, access }: { parties: RelyingParties; access: SetupAccess },
  said: SaidInSetup,
): Promise<{ options: RegistrationOptions; nonce: string }> {
  const party = parties.of(ctx);
  return inSetup(ctx, { access, said }, async (tx, { owner, nonce }) => ({
    options: await makeRegistrationOptions(tx, party, { purpose: 'set-up', owner }),
    nonce,
  }));
}
