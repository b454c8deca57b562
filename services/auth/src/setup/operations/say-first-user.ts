import { randomBytes } from 'node:crypto';
import type { Context } from '@quire/context';
import type { Transaction } from '@quire/database';
import { ulid } from 'ulid';
import { tokenHash } from '../../tokens/index.js';
import { normalisedEmail } from '../../users/index.js';
import type { SetupAccess, SetupLink } from '../setup-access.js';
import { insertAttempt, requireNoUsers, setupProgress } from '../setup.repository.js';

const nonceBytes = 32;

/** What somebody says of himself who would be the first user. */
export interface SaidInSetup {
  email: string;
  name: string | null;
  /** What their browser brings. */
  link: SetupLink;
}

interface Begun {
  owner: Omit<SaidInSetup, 'link'> & { id: string };
  /** Text of the cookie that the browser brings back. */
  nonce: string;
}

/**
 * Remembers for a browser who the first user would be, for a login provider to confirm.
 * @returns the nonce that it is to bring back as a cookie.
 * @throws QuireError SETUP_COMPLETE, ADMIN_EXISTS, FORBIDDEN without the setup link, VALIDATION_ERROR for what is no
 * address.
 */
export function sayFirstUser(ctx: Context, access: SetupAccess, said: SaidInSetup): Promise<string> {
  return inSetup(ctx, { access, said }, (_, { nonce }) => Promise.resolve(nonce));
}

/**
 * Begins to make the first user, and does with that what the way of signing in needs.
 * @throws QuireError as `sayFirstUser`.
 */
export async function inSetup<Result>(
  ctx: Context,
  { access, said: { email, name, link } }: { access: SetupAccess; said: SaidInSetup },
  work: (tx: Transaction, begun: Begun) => Promise<Result>,
): Promise<Result> {
  const progress = await setupProgress(ctx.db);
  requireNoUsers(progress);
  access.assertAllowed(ctx, progress, link);
  const owner = { id: ulid(), email: normalisedEmail(email), name };
  const nonce = randomBytes(nonceBytes).toString('base64url');
  return ctx.db.transaction(async (tx) => {
    await insertAttempt(tx, tokenHash(nonce), owner);
    return work(tx, { owner, nonce });
  });
}
