import { randomBytes } from 'node:crypto';
import type { Context } from '@quire/context';
import { ulid } from 'ulid';
import {
  makeRegistrationOptions,
  type RegistrationOptions,
  type RelyingParties,
} from '../../passkeys/index.js';
import { tokenHash } from '../../tokens/index.js';
import { normalisedEmail } from '../../users/index.js';
import { requireNoUsers, setupProgress } from '../setup.repository.js';
import { attemptSeconds } from '../setup-cookie.js';

const nonceBytes = 32;
/** As long as there is no user, anybody may begin: what is kept of them stays small. */
const keptAttempts = 100;

/**
 * Begins to make the first user.
 * @returns what the browser needs to make a passkey, and the nonce that it is to bring back as a cookie.
 * @throws QuireError SETUP_COMPLETE, ADMIN_EXISTS, VALIDATION_ERROR for what is no address.
 */
export async function startFirstAdmin(
  ctx: Context,
  parties: RelyingParties,
  sent: { email: string; name: string | null },
): Promise<{ options: RegistrationOptions; nonce: string }> {
  const party = parties.of(ctx);
  requireNoUsers(await setupProgress(ctx.db));
  const owner = { id: ulid(), email: normalisedEmail(sent.email), name: sent.name };
  const nonce = randomBytes(nonceBytes).toString('base64url');
  const options = await ctx.db.transaction(async (tx) => {
    await tx.query(
      `DELETE FROM setup_attempts WHERE nonce_hash IN (
         SELECT nonce_hash FROM setup_attempts ORDER BY expires_at DESC OFFSET $1 FOR UPDATE SKIP LOCKED)`,
      [keptAttempts],
    );
    await tx.query(
      `INSERT INTO setup_attempts (nonce_hash, user_id, email, name, expires_at)
       VALUES ($1, $2, $3, $4, now() + $5 * interval '1 second')`,
      [tokenHash(nonce), owner.id, owner.email, owner.name, attemptSeconds],
    );
    return makeRegistrationOptions(tx, party, { purpose: 'set-up', owner });
  });
  return { options, nonce };
}
