import type { Context } from '@quire/context';
import { createAccount, type LinkRegistrationInput } from '../../index.js';
import { auditFailedSignIn } from '../../../audit/index.js';
import type { PasskeyDeps } from '../../../authentication/passkeys/index.js';
import { deleteInvite, lockInvite } from '../invites.repository.js';

/**
 * Makes the invitee's account with their passkey and signs them in; the invite is used up with that, and only with
 * that.
 * @returns the user, and the text of the session's cookie.
 * @throws QuireError INVALID_TOKEN, TOKEN_EXPIRED, USER_EXISTS; for the passkey as `registerPasskey` says.
 */
export async function acceptInvite(
  ctx: Context,
  { parties, audit, limiter }: PasskeyDeps,
  sent: LinkRegistrationInput,
): ReturnType<typeof createAccount> {
  const { token, credential, name, userAgent } = sent;
  const party = parties.of(ctx);
  return auditFailedSignIn(ctx, { audit, limiter, method: 'invite' }, () =>
    ctx.db.transaction(async (tx) => {
      const { email, userId, role, mailed } = await lockInvite(tx, token);
      const account = { id: userId, email, name, role, isEmailVerified: mailed, credential, userAgent };
      const made = await createAccount(tx, { ctx, party, audit }, { ...account, purpose: 'invite' });
      await deleteInvite(tx, email);
      return made;
    }),
  );
}
