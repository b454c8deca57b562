import { Parameters, type KeysetPage, type Queryable } from '@quire/database';
import { QuireError } from '@quire/errors';
import { roles } from '@quire/permissions';
import { tokenHash } from '../../authentication/api-tokens/index.js';

export interface OpenInvite {
  email: string;
  userId: string;
  role: number;
  mailed: boolean;
}

/** An invitation as administrators see it. */
export interface PendingInvite {
  id: string;
  email: string;
  role: number;
  /** Id of the administrator who invites; null for an invitation of the system itself. */
  invitedBy: string | null;
  createdAt: string;
  expiresAt: string;
}

/** Lists go by creation, newest first. */
export const inviteOrder = {
  column: 'created_at',
  idColumn: 'user_id',
  direction: 'desc',
  cast: 'timestamptz',
  neverNull: true,
} as const;

/** An invitation counts only as long as its inviter may invite. */
const inviterCanInvite = `(invited_by IS NULL OR EXISTS (
  SELECT FROM users inviter WHERE inviter.id = invited_by AND inviter.role = ${roles.ADMIN} AND NOT inviter.disabled))`;

/** What is left of an invitation that has neither expired nor lost its inviter. */
export const isPending = `expires_at > now() AND ${inviterCanInvite}`;

/**
 * The invite of a link, held until the end of the transaction: of several who come with it at once one is first.
 * @throws QuireError INVALID_TOKEN for a link that is unknown, used, replaced, or made by somebody who is no active
 * administrator any more, TOKEN_EXPIRED.
 */
export function lockInvite(tx: Queryable, token: string): Promise<OpenInvite> {
  return lockInviteByHash(tx, tokenHash(token));
}

/** The same, by the SHA-256 of the link's token. */
export async function lockInviteByHash(tx: Queryable, hash: string): Promise<OpenInvite> {
  const locked = await tx.query('SELECT email FROM invites WHERE token_hash = $1 FOR UPDATE', [hash]);
  // A statement of its own: the inviter is looked up as they are once the row is held.
  const [invite] =
    locked.length === 0
      ? []
      : await tx.query<OpenInvite & { isLive: boolean; hasValidInviter: boolean }>(
          `SELECT email, user_id AS "userId", role, mailed, expires_at > now() AS "isLive",
             ${inviterCanInvite} AS "hasValidInviter"
           FROM invites WHERE token_hash = $1`,
          [hash],
        );
  if (!invite?.hasValidInviter)
    throw new QuireError('INVALID_TOKEN', 'This invitation is unknown, used, replaced or withdrawn');
  if (!invite.isLive) throw new QuireError('TOKEN_EXPIRED', 'This invitation has expired; ask for a new one');
  return invite;
}

/** The rows of a page of invitations that can still be accepted. */
export async function selectPendingInvites(sql: Queryable, page: KeysetPage): Promise<PendingInvite[]> {
  const params = new Parameters();
  const conditions = [page.condition(params), isPending];
  return sql.query<PendingInvite>(
    `SELECT user_id AS id, email, role, invited_by AS "invitedBy", created_at AS "createdAt",
       expires_at AS "expiresAt"
     FROM invites WHERE ${conditions.join(' AND ')} ${page.order(params)}`,
    params.values,
  );
}

/** Uses an invite up. */
export async function deleteInvite(tx: Queryable, email: string): Promise<void> {
  await tx.query('DELETE FROM invites WHERE email = $1', [email]);
}

/** Removes an invite by its id. @returns undefined when there is none. */
export async function deleteInviteById(tx: Queryable, id: string): Promise<{ email: string } | undefined> {
  const [deleted] = await tx.query<{ email: string }>(
    'DELETE FROM invites WHERE user_id = $1 RETURNING email',
    [id],
  );
  return deleted;
}

/** Removes all invites that a user made. @returns what they were. */
export async function deleteInvitesBy(
  tx: Queryable,
  userId: string,
): Promise<{ id: string; email: string }[]> {
  return tx.query('DELETE FROM invites WHERE invited_by = $1 RETURNING user_id AS id, email', [userId]);
}
