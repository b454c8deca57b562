import type { Context } from '@quire/context';
import { auditFailedSignIn } from '../../../audit/index.js';
import { signIn } from '../../sessions/index.js';
import type { AuthenticationCredential, SignedInUser } from '../passkeys.schemas.js';
import type { PasskeyDeps } from '../passkey-deps.js';
import { selectSignedInUser } from '../passkeys.repository.js';
import { assertionFailedError, recordPasskeyUse, verifyAssertion } from './verify-assertion.js';

interface Attempt {
  credential: AuthenticationCredential;
  userAgent: string | undefined;
}

interface SignedIn {
  user: SignedInUser;
  session: string;
}

/**
 * Signs in with a passkey. Consumes the challenge, on success and failure.
 * @returns the user, and the text of the new session's cookie.
 * @throws QuireError UNAUTHORIZED with one message for every failure, ACCOUNT_DISABLED.
 */
export function verifyPasskeyLogin(ctx: Context, deps: PasskeyDeps, attempt: Attempt): Promise<SignedIn> {
  return auditFailedSignIn(ctx, { ...deps, method: 'passkey' }, (setSubject) =>
    attemptLogin(ctx, deps, { ...attempt, setSubject }),
  );
}

async function attemptLogin(
  ctx: Context,
  { parties, audit }: PasskeyDeps,
  { credential, userAgent, setSubject }: Attempt & { setSubject: (userId: string) => void },
): Promise<SignedIn> {
  const assertion = await verifyAssertion(ctx, parties, { credential, purpose: 'log-in', setSubject });
  const { userId } = assertion;
  return ctx.db.transaction(async (tx) => {
    await recordPasskeyUse(tx, assertion);
    const session = await signIn(tx, { ctx, audit }, { userId, method: 'passkey', userAgent });
    const user = await selectSignedInUser(tx, userId);
    if (!user) throw assertionFailedError();
    return { user, session };
  });
}
