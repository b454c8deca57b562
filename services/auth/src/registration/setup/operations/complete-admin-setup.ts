import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import { roles } from '@quire/permissions';
import { auditFailedSignIn } from '../../../audit/index.js';
import { tokenHash } from '../../../authentication/api-tokens/index.js';
import {
  registerPasskey,
  type PasskeyDeps,
  type RegistrationCredential,
  type SignedInUser,
} from '../../../authentication/passkeys/index.js';
import { signIn } from '../../../authentication/sessions/index.js';
import type { SetupAccess, SetupLink } from '../setup-access.js';
import { createFirstAdmin } from '../setup.operations.js';
import {
  adminExistsError,
  assertNoUsers,
  lockSetup,
  selectSetupAttempt,
  selectSetupProgress,
} from '../setup.repository.js';

/** Input of the last step of the setup. */
interface AdminSetupInput {
  credential: RegistrationCredential;
  /** Value of the cookie that binds the setup to the browser. */
  nonce: string | undefined;
  /** Secret of the setup link, from the browser's cookie. */
  link: SetupLink;
  userAgent: string | undefined;
}

/**
 * Creates the first user with their passkey and signs them in. Of concurrent requests one succeeds; a failed request
 * changes nothing.
 * @returns the user, and the text of the session's cookie.
 * @throws QuireError ADMIN_EXISTS when another browser completed the setup; SETUP_COMPLETE without a started setup;
 *   FORBIDDEN without the setup link; INVALID_STATE before the earlier steps, and in another browser;
 *   CHALLENGE_EXPIRED, VALIDATION_ERROR as `registerPasskey`.
 */
export async function completeAdminSetup(
  ctx: Context,
  {
    parties,
    audit,
    limiter,
    access,
  }: Pick<PasskeyDeps, 'parties' | 'audit' | 'limiter'> & { access: SetupAccess },
  { credential, nonce, link, userAgent }: AdminSetupInput,
): Promise<{ user: SignedInUser; session: string }> {
  const party = parties.of(ctx);
  return auditFailedSignIn(ctx, { audit, limiter, method: 'setup' }, () =>
    ctx.db.transaction(async (tx) => {
      await lockSetup(tx);
      const progress = await selectSetupProgress(tx);
      // With a nonce, this browser started the setup before another browser completed it.
      if (progress.hasUsers && nonce !== undefined) throw adminExistsError();
      assertNoUsers(progress);
      access.assertAllowed(ctx, progress, link);
      if (!progress.isSiteSaved)
        throw new QuireError('INVALID_STATE', 'Complete the site step of the setup first');
      const attempt = nonce === undefined ? undefined : await selectSetupAttempt(tx, tokenHash(nonce));
      if (!attempt)
        throw new QuireError('INVALID_STATE', 'The setup was not started in this browser; start again');
      const { userId: id, email, name } = attempt;
      const user = { id, email, name, isEmailVerified: false, method: 'setup' } as const;
      await createFirstAdmin(tx, { ctx, audit }, user);
      await registerPasskey(tx, party, { purpose: 'set-up', userId: id, credential });
      const session = await signIn(tx, { ctx, audit }, { userId: id, method: 'setup', userAgent });
      return { user: { id, email, name, role: roles.ADMIN }, session };
    }),
  );
}
