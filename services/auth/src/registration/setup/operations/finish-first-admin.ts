import type { Context } from '@quire/context';
import type { Transaction } from '@quire/database';
import { QuireError } from '@quire/errors';
import { roles } from '@quire/permissions';
import { auditFailedSignIn } from '../../../audit/index.js';
import {
  registerPasskey,
  type PasskeyDeps,
  type RegistrationCredential,
} from '../../../authentication/passkeys/index.js';
import { signIn } from '../../../authentication/sessions/index.js';
import { tokenHash } from '../../../authentication/api-tokens/index.js';
import type { SetupAccess, SetupLink } from '../setup-access.js';
import { adminExistsError, lockSetup, assertNoUsers, selectSetupProgress } from '../setup.repository.js';
import { createFirstAdmin } from './create-first-admin.js';

/** What the browser brings back. */
export interface FirstPasskey {
  credential: RegistrationCredential;
  nonce: string | undefined;
  link: SetupLink;
  userAgent: string | undefined;
}

interface Attempt {
  id: string;
  email: string;
  name: string | null;
}

/**
 * Makes the first user with their passkey and signs them in. Of several browsers one gets there; what is refused leaves
 * nothing behind.
 * @returns the user, and the text of the session's cookie.
 * @throws QuireError ADMIN_EXISTS when another was faster; SETUP_COMPLETE for who is not in the setup at all; FORBIDDEN
 * without the setup link; INVALID_STATE before the earlier steps, and in another browser; CHALLENGE_EXPIRED,
 * VALIDATION_ERROR as `registerPasskey` says.
 */
export async function finishFirstAdmin(
  ctx: Context,
  { parties, audit, limiter }: PasskeyDeps,
  access: SetupAccess,
  { credential, nonce, link, userAgent }: FirstPasskey,
): Promise<{ user: Attempt & { role: number }; session: string }> {
  const party = parties.of(ctx);
  return auditFailedSignIn(ctx, { audit, limiter, method: 'setup' }, () =>
    ctx.db.transaction(async (tx) => {
      await lockSetup(tx);
      const progress = await selectSetupProgress(tx);
      // Who brings a nonce was in the setup when another finished it.
      if (progress.hasUsers && nonce !== undefined) throw adminExistsError();
      assertNoUsers(progress);
      access.assertAllowed(ctx, progress, link);
      if (!progress.isSiteSaved)
        throw new QuireError('INVALID_STATE', 'Complete the site step of the setup first');
      const { email, id, name } = await selectSetupAttempt(tx, nonce);
      await createFirstAdmin(tx, { id, email, name, isEmailVerified: false });
      await registerPasskey(tx, party, { purpose: 'set-up', userId: id, credential });
      const target = { type: 'user', id } as const;
      const details = { role: roles.ADMIN, method: 'setup' } as const;
      await audit.record(tx, { by: ctx, actorId: id, action: 'user.created', target, details });
      const session = await signIn(tx, { ctx, audit }, { userId: id, method: 'setup', userAgent });
      return { user: { id, email, name, role: roles.ADMIN }, session };
    }),
  );
}

/** The attempt of this browser. @throws QuireError INVALID_STATE */
async function selectSetupAttempt(tx: Transaction, nonce: string | undefined): Promise<Attempt> {
  const [attempt] =
    nonce === undefined
      ? []
      : await tx.query<Attempt>(
          'SELECT user_id AS id, email, name FROM setup_attempts WHERE nonce_hash = $1 AND expires_at > now()',
          [tokenHash(nonce)],
        );
  if (!attempt)
    throw new QuireError('INVALID_STATE', 'The setup was not started in this browser; start again');
  return attempt;
}
