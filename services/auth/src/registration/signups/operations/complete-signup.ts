import type { Context } from '@quire/context';
import { createAccount, type LinkRegistrationInput } from '../../index.js';
import type { DefaultRolePolicy } from '../../../users/allowed-domains/index.js';
import { auditFailedSignIn } from '../../../audit/index.js';
import type { PasskeyDeps } from '../../../authentication/passkeys/index.js';
import { tokenHash } from '../../../authentication/api-tokens/index.js';
import { lockSignup } from '../signups.repository.js';

/**
 * Makes the account of somebody who signs up and signs them in; the link is used up with that, and only with that,
 * and further links of the same address find that there is a user.
 * @returns the user, and the text of the session's cookie.
 * @throws QuireError INVALID_TOKEN, TOKEN_EXPIRED, USER_EXISTS, DOMAIN_NOT_ALLOWED; for the passkey as
 *   `registerPasskey` says.
 */
export async function completeSignup(
  ctx: Context,
  { parties, audit, limiter }: PasskeyDeps,
  defaultRoles: DefaultRolePolicy,
  sent: LinkRegistrationInput,
): ReturnType<typeof createAccount> {
  const { token, credential, name, userAgent } = sent;
  const party = parties.of(ctx);
  return auditFailedSignIn(ctx, { audit, limiter, method: 'signup' }, () =>
    ctx.db.transaction(async (tx) => {
      const { email, userId, role } = await lockSignup(tx, token, defaultRoles);
      const account = { id: userId, email, name, role, isEmailVerified: true, credential, userAgent };
      const made = await createAccount(tx, { ctx, party, audit }, { ...account, purpose: 'signup' });
      await tx.query('DELETE FROM signups WHERE token_hash = $1', [tokenHash(token)]);
      return made;
    }),
  );
}
