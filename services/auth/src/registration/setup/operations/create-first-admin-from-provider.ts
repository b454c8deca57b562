import type { Context } from '@quire/context';
import type { Transaction } from '@quire/database';
import { QuireError } from '@quire/errors';
import { ulid } from 'ulid';
import type { SetupAccess, SetupLink } from '../setup-access.js';
import { selectSetupProgress } from '../setup.repository.js';
import { createFirstAdmin } from './create-first-admin.js';

/** Somebody who comes to a site without users, and whom a login provider vouches for. */
export interface ExternalIdentity {
  /** SHA-256 of the setup's nonce, when the user entered an address in the setup. */
  nonceHash: string | null;
  /** As the provider knows it; null where accounts have none. */
  email: { address: string; isVerified: boolean } | null;
  name: string | null;
  /** What the browser brings. */
  link: SetupLink;
}

/**
 * Makes the first user, an Admin, of somebody who needs no passkey, in the caller's transaction. Address and name are
 * those entered in the setup, else the provider's; an address is verified when the provider has verified the same.
 * @returns the new user's id; undefined when the site has users.
 * @throws QuireError FORBIDDEN without the setup link; INVALID_STATE before the site has its title, or without any
 * address; ADMIN_EXISTS when another was faster.
 */
export async function createFirstAdminFromProvider(
  tx: Transaction,
  { ctx, access }: { ctx: Context; access: SetupAccess },
  { nonceHash, email, name, link }: ExternalIdentity,
): Promise<string | undefined> {
  const progress = await selectSetupProgress(tx);
  if (progress.hasUsers) return undefined;
  access.assertAllowed(ctx, progress, link);
  if (!progress.isSiteSaved)
    throw new QuireError('INVALID_STATE', 'Complete the site step of the setup first');
  const draft = await selectAdminDraft(tx, nonceHash);
  const address = draft?.email ?? email?.address;
  if (address === undefined)
    throw new QuireError('INVALID_STATE', 'Complete the account step of the setup first');
  const isEmailVerified = email !== null && email.isVerified && email.address === address;
  const id = ulid();
  await createFirstAdmin(tx, { id, email: address, name: draft?.name ?? name, isEmailVerified });
  return id;
}

async function selectAdminDraft(
  tx: Transaction,
  nonceHash: string | null,
): Promise<{ email: string; name: string | null } | undefined> {
  if (nonceHash === null) return undefined;
  const [attempt] = await tx.query<{ email: string; name: string | null }>(
    'SELECT email, name FROM setup_attempts WHERE nonce_hash = $1 AND expires_at > now()',
    [nonceHash],
  );
  return attempt;
}
