import type { Context } from '@quire/context';
import type { Transaction } from '@quire/database';
import { QuireError } from '@quire/errors';
import { ulid } from '@quire/values';
import type { AuditLog, SignInMethod } from '../../../audit/index.js';
import type { SetupAccess, SetupLink } from '../setup-access.js';
import { createFirstAdmin } from '../setup.operations.js';
import { selectSetupAttempt, selectSetupProgress } from '../setup.repository.js';

/** An identity at a login provider, and the setup that its browser started. */
interface ExternalIdentity {
  /** SHA-256 of the setup's nonce; null when no address was entered in the setup. */
  nonceHash: string | null;
  /** Address at the provider; null where accounts have none. */
  email: { address: string; isVerified: boolean } | null;
  name: string | null;
  /** Secret of the setup link, from the browser's cookie. */
  link: SetupLink;
  method: SignInMethod;
}

/**
 * Creates the first user, an Admin, from an external login, in the caller's transaction. Address and name come from the
 * setup, otherwise from the provider. The address is verified if the provider has verified the same address.
 * @returns the new user's id; undefined when the site has users.
 * @throws QuireError FORBIDDEN without the setup link; INVALID_STATE before the site has its title, or without any
 *   address; ADMIN_EXISTS when a concurrent request created the first user.
 */
export async function createFirstAdminFromProvider(
  tx: Transaction,
  { ctx, audit, access }: { ctx: Context; audit: AuditLog; access: SetupAccess },
  { nonceHash, email, name, link, method }: ExternalIdentity,
): Promise<string | undefined> {
  const progress = await selectSetupProgress(tx);
  if (progress.hasUsers) return undefined;
  access.assertAllowed(ctx, progress, link);
  if (!progress.isSiteSaved)
    throw new QuireError('INVALID_STATE', 'Complete the site step of the setup first');
  const draft = nonceHash === null ? undefined : await selectSetupAttempt(tx, nonceHash);
  const address = draft?.email ?? email?.address;
  if (address === undefined)
    throw new QuireError('INVALID_STATE', 'Complete the account step of the setup first');
  const isEmailVerified = email !== null && email.isVerified && email.address === address;
  const id = ulid();
  const user = { id, email: address, name: draft?.name ?? name, isEmailVerified, method };
  await createFirstAdmin(tx, { ctx, audit }, user);
  return id;
}
