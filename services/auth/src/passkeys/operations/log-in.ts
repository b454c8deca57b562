import type { Context } from '@quire/context';
import { tellingRefusals } from '../../audit/index.js';
import { signIn } from '../../sessions/index.js';
import type { AuthenticationCredential, SignedInUser } from '../passkeys.schemas.js';
import type { PasskeyServices } from '../passkey-services.js';
import { assertionFailed, checkAssertion, storeUse } from './check-assertion.js';

interface Attempt {
  credential: AuthenticationCredential;
  userAgent: string | undefined;
}

interface SignedIn {
  user: SignedInUser;
  session: string;
}

/**
 * Signs in with a passkey. The challenge is used up whatever comes of it.
 * @returns the user, and the text of the new session's cookie.
 * @throws QuireError UNAUTHORIZED with one message for every failure, ACCOUNT_DISABLED.
 */
export function logIn(ctx: Context, services: PasskeyServices, attempt: Attempt): Promise<SignedIn> {
  return tellingRefusals(ctx, { ...services, method: 'passkey' }, (isAbout) =>
    tryToLogIn(ctx, services, { ...attempt, isAbout }),
  );
}

async function tryToLogIn(
  ctx: Context,
  { parties, audit }: PasskeyServices,
  { credential, userAgent, isAbout }: Attempt & { isAbout: (userId: string) => void },
): Promise<SignedIn> {
  const assertion = await checkAssertion(ctx, parties, { credential, purpose: 'log-in', isAbout });
  const { userId } = assertion;
  return ctx.db.transaction(async (tx) => {
    await storeUse(tx, assertion);
    const session = await signIn(tx, { ctx, audit }, { userId, method: 'passkey', userAgent });
    const [user] = await tx.query<SignedInUser>('SELECT id, email, name, role FROM users WHERE id = $1', [
      userId,
    ]);
    if (!user) throw assertionFailed();
    return { user, session };
  });
}
