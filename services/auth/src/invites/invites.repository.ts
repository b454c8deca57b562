import type { Sql } from '@quire/database';
import { QuireError } from '@quire/errors';
import { tokenHash } from '../tokens/index.js';

export interface OpenInvite {
  email: string;
  userId: string;
  role: number;
  mailed: boolean;
}

/**
 * The invite of a link, held until the end of the transaction: of several who come with it at once one is first.
 * @throws QuireError INVALID_TOKEN for a link that is unknown, used or replaced, TOKEN_EXPIRED.
 */
export function holdInvite(tx: Sql, token: string): Promise<OpenInvite> {
  return holdInviteByHash(tx, tokenHash(token));
}

/** The same, by the SHA-256 of the link's token. */
export async function holdInviteByHash(tx: Sql, hash: string): Promise<OpenInvite> {
  const [invite] = await tx.query<OpenInvite & { isLive: boolean }>(
    `SELECT email, user_id AS "userId", role, mailed, expires_at > now() AS "isLive"
     FROM invites WHERE token_hash = $1 FOR UPDATE`,
    [hash],
  );
  if (!invite) throw new QuireError('INVALID_TOKEN', 'This invitation is unknown, used or replaced');
  if (!invite.isLive) throw new QuireError('TOKEN_EXPIRED', 'This invitation is over; ask for a new one');
  return invite;
}

/** Uses an invite up. */
export async function deleteInvite(tx: Sql, email: string): Promise<void> {
  await tx.query('DELETE FROM invites WHERE email = $1', [email]);
}
