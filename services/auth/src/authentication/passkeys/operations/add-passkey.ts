import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import { maxPasskeys, selectPasskeys } from '../passkeys.repository.js';
import type { OwnPasskey, RegistrationCredential, RegistrationOptions } from '../passkeys.schemas.js';
import type { PasskeyDeps } from '../passkey-deps.js';
import type { RelyingPartyFactory } from '../relying-party.js';
import { createRegistrationOptions, type PasskeyOwner } from './create-registration-options.js';
import { passkeyLimitError, registerPasskey } from './register-passkey.js';

const purpose = 'add-passkey';

/** What the caller's browser needs to make one more passkey. @throws QuireError PASSKEY_LIMIT */
export async function startAddingPasskey(
  ctx: Context,
  parties: RelyingPartyFactory,
  passkeyName: string | undefined,
): Promise<RegistrationOptions> {
  const party = parties.of(ctx);
  const [owner] = await ctx.db.query<PasskeyOwner>('SELECT id, email, name FROM users WHERE id = $1', [
    ctx.principal.userId,
  ]);
  if (!owner) throw notSignedIn();
  if ((await selectPasskeys(ctx.db, owner.id)).length >= maxPasskeys) throw passkeyLimitError();
  return createRegistrationOptions(ctx.db, party, { purpose, owner, passkeyName });
}

/**
 * Adds what the browser made to the caller's passkeys.
 * @throws QuireError PASSKEY_LIMIT, CREDENTIAL_EXISTS, CHALLENGE_EXPIRED, VALIDATION_ERROR.
 */
export async function addPasskey(
  ctx: Context,
  { parties, audit }: PasskeyDeps,
  { credential, name }: { credential: RegistrationCredential; name?: string | undefined },
): Promise<OwnPasskey> {
  const party = parties.of(ctx);
  const { userId } = ctx.principal;
  if (userId === null) throw notSignedIn();
  return ctx.db.transaction(async (tx) => {
    const passkey = await registerPasskey(tx, party, { purpose, userId, credential, name });
    const target = { type: 'credential', id: passkey.id } as const;
    await audit.record(tx, {
      by: ctx,
      action: 'credential.added',
      target,
      userId,
      details: { kind: 'passkey' },
    });
    return passkey;
  });
}

function notSignedIn(): QuireError {
  return new QuireError('NOT_AUTHENTICATED', 'Sign in first');
}
