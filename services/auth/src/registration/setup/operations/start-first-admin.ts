import type { Context } from '@quire/context';
import {
  createRegistrationOptions,
  type RegistrationOptions,
  type RelyingPartyFactory,
} from '../../../authentication/passkeys/index.js';
import type { SetupAccess } from '../setup-access.js';
import { withSetupAttempt, type AdminDraft } from './start-admin-setup.js';

/**
 * Begins to make the first user.
 * @returns what the browser needs to make a passkey, and the nonce that it is to bring back as a cookie.
 * @throws QuireError SETUP_COMPLETE, ADMIN_EXISTS, FORBIDDEN without the setup link, VALIDATION_ERROR for what is no
 * address.
 */
export async function startFirstAdmin(
  ctx: Context,
  { parties, access }: { parties: RelyingPartyFactory; access: SetupAccess },
  draft: AdminDraft,
): Promise<{ options: RegistrationOptions; nonce: string }> {
  const party = parties.of(ctx);
  return withSetupAttempt(ctx, { access, draft }, async (tx, { owner, nonce }) => ({
    options: await createRegistrationOptions(tx, party, { purpose: 'set-up', owner }),
    nonce,
  }));
}
