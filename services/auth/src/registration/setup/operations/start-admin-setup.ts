import { randomBytes } from 'node:crypto';
import type { Context } from '@quire/context';
import type { Transaction } from '@quire/database';
import { ulid } from 'ulid';
import { tokenHash } from '../../../authentication/api-tokens/index.js';
import { normaliseEmail } from '../../../users/index.js';
import type { SetupAccess, SetupLink } from '../setup-access.js';
import { insertSetupAttempt, assertNoUsers, selectSetupProgress } from '../setup.repository.js';

const nonceBytes = 32;

/** Account data of the future first admin, as entered in the setup. */
export interface AdminDraft {
  email: string;
  name: string | null;
  /** What their browser brings. */
  link: SetupLink;
}

interface StartedSetup {
  owner: Omit<AdminDraft, 'link'> & { id: string };
  /** Text of the cookie that the browser brings back. */
  nonce: string;
}

/**
 * Remembers for a browser who the first user would be, for a login provider to confirm.
 * @returns the nonce that it is to bring back as a cookie.
 * @throws QuireError SETUP_COMPLETE, ADMIN_EXISTS, FORBIDDEN without the setup link, VALIDATION_ERROR for what is no
 * address.
 */
export function startAdminSetup(ctx: Context, access: SetupAccess, draft: AdminDraft): Promise<string> {
  return withSetupAttempt(ctx, { access, draft }, (_, { nonce }) => Promise.resolve(nonce));
}

/**
 * Begins to make the first user, and does with that what the way of signing in needs.
 * @throws QuireError as `startAdminSetup`.
 */
export async function withSetupAttempt<Result>(
  ctx: Context,
  { access, draft: { email, name, link } }: { access: SetupAccess; draft: AdminDraft },
  work: (tx: Transaction, begun: StartedSetup) => Promise<Result>,
): Promise<Result> {
  const progress = await selectSetupProgress(ctx.db);
  assertNoUsers(progress);
  access.assertAllowed(ctx, progress, link);
  const owner = { id: ulid(), email: normaliseEmail(email), name };
  const nonce = randomBytes(nonceBytes).toString('base64url');
  return ctx.db.transaction(async (tx) => {
    await insertSetupAttempt(tx, tokenHash(nonce), owner);
    return work(tx, { owner, nonce });
  });
}
