import { verifyAuthenticationResponse } from '@simplewebauthn/server';
import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import { tellingRefusals } from '../../audit/index.js';
import { signIn } from '../../sessions/index.js';
import { signedChallenge, takeChallenge } from '../challenges.js';
import type { AuthenticationCredential, SignedInUser } from '../passkeys.schemas.js';
import type { PasskeyServices } from '../passkey-services.js';
import { holdPasskeysOf } from '../passkeys.repository.js';
import type { RelyingParty } from '../relying-party.js';

interface StoredPasskey {
  id: string;
  credentialId: string;
  userId: string;
  publicKey: Buffer;
  counter: number;
}

/** What a signature says of its authenticator now. */
interface Signed {
  counter: number;
  isBackedUp: boolean;
}

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
  const party = parties.of(ctx);
  const text = signedChallenge(credential.response.clientDataJSON);
  const challenge = text === undefined ? undefined : await takeChallenge(ctx.db, text, 'log-in');
  if (text === undefined || !challenge) throw failed();
  const [passkey] = await ctx.db.query<StoredPasskey>(
    `SELECT id, credential_id AS "credentialId", user_id AS "userId", public_key AS "publicKey", counter
     FROM passkeys WHERE credential_id = $1`,
    [credential.id],
  );
  if (passkey) isAbout(passkey.userId);
  if (!passkey || (challenge.userId !== null && challenge.userId !== passkey.userId)) throw failed();
  const signed = await verified(party, { credential, passkey, challenge: text });
  return ctx.db.transaction(async (tx) => {
    // The user first, as whoever removes a passkey does: the other way round each would wait for the other.
    await holdPasskeysOf(tx, passkey.userId);
    // Of two that sign with the same count at once, one is a copy: the other finds the count gone up.
    const used = await tx.query(
      `UPDATE passkeys SET counter = $2, backed_up = $3, last_used_at = now()
       WHERE id = $1 AND (counter < $2 OR (counter = 0 AND $2 = 0)) RETURNING id`,
      [passkey.id, signed.counter, signed.isBackedUp],
    );
    if (used.length === 0) throw failed();
    const { userId } = passkey;
    const session = await signIn(tx, { ctx, audit }, { userId, method: 'passkey', userAgent });
    const [user] = await tx.query<SignedInUser>('SELECT id, email, name, role FROM users WHERE id = $1', [
      userId,
    ]);
    if (!user) throw failed();
    return { user, session };
  });
}

/** @throws QuireError UNAUTHORIZED */
async function verified(
  { id, origins }: RelyingParty,
  attempt: { credential: AuthenticationCredential; passkey: StoredPasskey; challenge: string },
): Promise<Signed> {
  const { credential, passkey, challenge } = attempt;
  const { clientDataJSON, authenticatorData, signature, userHandle } = credential.response;
  if (userHandle && Buffer.from(userHandle, 'base64url').toString() !== passkey.userId) throw failed();
  const { verified: holds, authenticationInfo } = await verifyAuthenticationResponse({
    response: {
      id: credential.id,
      rawId: credential.rawId,
      type: credential.type,
      response: { clientDataJSON, authenticatorData, signature },
      clientExtensionResults: {},
    },
    expectedChallenge: challenge,
    expectedOrigin: origins,
    expectedRPID: id,
    credential: {
      id: passkey.credentialId,
      publicKey: new Uint8Array(passkey.publicKey),
      counter: passkey.counter,
    },
    requireUserVerification: false,
  }).catch((error: unknown) => {
    throw failed(error);
  });
  if (!holds) throw failed();
  return { counter: authenticationInfo.newCounter, isBackedUp: authenticationInfo.credentialBackedUp };
}

function failed(cause?: unknown): QuireError {
  return new QuireError('UNAUTHORIZED', 'Passkey authentication failed', { cause });
}
