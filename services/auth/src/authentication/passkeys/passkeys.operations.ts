import type { Context } from '@quire/context';
import { notFound, QuireError } from '@quire/errors';
import type { CacheInvalidationBus } from '@quire/jobs';
import type { AuditLog } from '../../audit/index.js';
import { revokeSessions } from '../sessions/index.js';
import { createRegistrationOptions } from './operations/create-registration-options.js';
import { passkeyLimitError, registerPasskey } from './operations/register-passkey.js';
import type { PasskeyDeps } from './passkey-deps.js';
import {
  deletePasskey,
  lockPasskeys,
  maxPasskeys,
  selectPasskeyOwner,
  selectPasskeys,
  updatePasskeyName,
} from './passkeys.repository.js';
import type { OwnPasskey, RegistrationCredential, RegistrationOptions } from './passkeys.schemas.js';
import type { RelyingPartyFactory } from './relying-party.js';

const purpose = 'add-passkey';
const details = { kind: 'passkey' } as const;

/** @returns the caller's passkeys, oldest first (contract 27). */
export function listOwnPasskeys(ctx: Context): Promise<OwnPasskey[]> {
  return selectPasskeys(ctx.db, ctx.principal.userId);
}

/**
 * Creates the options with which the caller's browser creates a further passkey.
 * @throws QuireError PASSKEY_LIMIT.
 */
export async function startAddingPasskey(
  ctx: Context,
  parties: RelyingPartyFactory,
  passkeyName: string | undefined,
): Promise<RegistrationOptions> {
  const party = parties.of(ctx);
  const owner = await selectPasskeyOwner(ctx.db, ctx.principal.userId);
  if (!owner) throw notSignedInError();
  if ((await selectPasskeys(ctx.db, owner.id)).length >= maxPasskeys) throw passkeyLimitError();
  return createRegistrationOptions(ctx.db, party, { purpose, owner, passkeyName });
}

/**
 * Adds a passkey that the caller's browser created.
 * @throws QuireError PASSKEY_LIMIT, CREDENTIAL_EXISTS, CHALLENGE_EXPIRED, VALIDATION_ERROR.
 */
export async function addPasskey(
  ctx: Context,
  { parties, audit }: PasskeyDeps,
  { credential, name }: { credential: RegistrationCredential; name?: string | undefined },
): Promise<OwnPasskey> {
  const party = parties.of(ctx);
  const { userId } = ctx.principal;
  if (userId === null) throw notSignedInError();
  return ctx.db.transaction(async (tx) => {
    const passkey = await registerPasskey(tx, party, { purpose, userId, credential, name });
    const target = { type: 'credential', id: passkey.id } as const;
    await audit.record(tx, { by: ctx, action: 'credential.added', target, userId, details });
    return passkey;
  });
}

/** Renames one of the caller's passkeys. @throws QuireError NOT_FOUND */
export async function renamePasskey(
  ctx: Context,
  { audit }: PasskeyDeps,
  { id, name }: { id: string; name: string },
): Promise<OwnPasskey> {
  const { userId } = ctx.principal;
  return ctx.db.transaction(async (tx) => {
    const renamed = await updatePasskeyName(tx, { id, userId, name });
    if (userId === null || !renamed) throw notFound('passkey');
    const target = { type: 'credential', id } as const;
    await audit.record(tx, { by: ctx, action: 'credential.renamed', target, userId, details });
    return renamed;
  });
}

/**
 * Removes one of the caller's passkeys and ends their other sessions, which may have been opened with it.
 * @throws QuireError NOT_FOUND, LAST_PASSKEY.
 */
export async function removePasskey(
  ctx: Context,
  { audit, relay }: { audit: AuditLog; relay: CacheInvalidationBus },
  id: string,
): Promise<void> {
  const { userId, sessionId, tenant } = ctx.principal;
  await ctx.db.transaction(async (tx) => {
    const count = await lockPasskeys(tx, userId);
    const isDeleted = await deletePasskey(tx, id, userId);
    if (userId === null || !isDeleted) throw notFound('passkey');
    if (count === 1) throw new QuireError('LAST_PASSKEY', 'The last passkey cannot be removed');
    await revokeSessions(tx, userId, sessionId);
    const target = { type: 'credential', id } as const;
    await audit.record(tx, { by: ctx, action: 'credential.removed', target, userId, details });
    tx.afterCommit(() => relay.invalidate('credentials', tenant.id, userId));
  });
}

function notSignedInError(): QuireError {
  return new QuireError('NOT_AUTHENTICATED', 'Sign in to manage passkeys');
}
