import { columnsOf, Parameters, type KeysetPage, type Queryable, type Row } from '@quire/database';
import { QuireError } from '@quire/errors';
import { roles } from '@quire/permissions';
import { tokenHash } from '../../authentication/api-tokens/index.js';
import { Invite } from './invite.entity.js';

/** Lifetime of an invitation (spec document 1, Limits). */
export const inviteDays = 7;

/** An invitation that its link can accept. */
type OpenInvite = Pick<Row<Invite>, 'email' | 'userId' | 'role' | 'mailed'>;

/** An invitation in lists; `id` is the id of the future user. */
export type PendingInvite = { id: string } & Pick<
  Row<Invite>,
  'email' | 'role' | 'invitedBy' | 'createdAt' | 'expiresAt'
>;

const openColumns = columnsOf(Invite, { only: ['email', 'userId', 'role', 'mailed'] });

const pendingColumns = `user_id AS id, ${columnsOf(Invite, {
  only: ['email', 'role', 'invitedBy', 'createdAt', 'expiresAt'],
})}`;

/** Lists are ordered by creation, newest first. */
export const inviteOrder = {
  column: 'created_at',
  idColumn: 'user_id',
  direction: 'desc',
  cast: 'timestamptz',
  neverNull: true,
} as const;

/** An invitation is valid only while its inviter is an active administrator. */
const inviterCanInvite = `(invited_by IS NULL OR EXISTS (
  SELECT FROM users inviter WHERE inviter.id = invited_by AND inviter.role = ${roles.ADMIN} AND NOT inviter.disabled))`;

/** Not expired, with a valid inviter. */
const isPending = `expires_at > now() AND ${inviterCanInvite}`;

/**
 * Locks the invitation of a link until the end of the transaction: concurrent requests with one link are serialised.
 * @throws QuireError INVALID_TOKEN for a link that is unknown, used or replaced, or whose inviter is no longer an
 *   active administrator; TOKEN_EXPIRED.
 */
export function lockInvite(tx: Queryable, token: string): Promise<OpenInvite> {
  return lockInviteByHash(tx, tokenHash(token));
}

/** As `lockInvite`, by the SHA-256 of the link's token. */
export async function lockInviteByHash(tx: Queryable, hash: string): Promise<OpenInvite> {
  const locked = await tx.query('SELECT email FROM invites WHERE token_hash = $1 FOR UPDATE', [hash]);
  // A second statement sees the inviter's state at the time of the lock.
  const [invite] =
    locked.length === 0
      ? []
      : await tx.query<OpenInvite & { isLive: boolean; hasValidInviter: boolean }>(
          `SELECT ${openColumns}, expires_at > now() AS "isLive", ${inviterCanInvite} AS "hasValidInviter"
           FROM invites WHERE token_hash = $1`,
          [hash],
        );
  if (!invite?.hasValidInviter)
    throw new QuireError('INVALID_TOKEN', 'This invitation is unknown, used, replaced or withdrawn');
  if (!invite.isLive) throw new QuireError('TOKEN_EXPIRED', 'This invitation has expired; ask for a new one');
  return invite;
}

/** @returns the rows of one page of the pending invitations. */
export async function selectPendingInvites(sql: Queryable, page: KeysetPage): Promise<PendingInvite[]> {
  const params = new Parameters();
  const conditions = [page.condition(params), isPending];
  return sql.query<PendingInvite>(
    `SELECT ${pendingColumns} FROM invites WHERE ${conditions.join(' AND ')} ${page.order(params)}`,
    params.values,
  );
}

/** Inserts an invitation, or replaces the one of the same address. It expires after `inviteDays`. */
export async function upsertInvite(
  tx: Queryable,
  invite: Omit<Row<Invite>, 'expiresAt' | 'createdAt'>,
): Promise<void> {
  const { email, tokenHash: hash, userId, role, mailed, invitedBy } = invite;
  await tx.query(
    `INSERT INTO invites (email, token_hash, user_id, role, mailed, invited_by, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, now() + $7 * interval '1 day')
     ON CONFLICT (email) DO UPDATE SET token_hash = excluded.token_hash, user_id = excluded.user_id,
       role = excluded.role, mailed = excluded.mailed, invited_by = excluded.invited_by,
       expires_at = excluded.expires_at, created_at = now()`,
    [email, hash, userId, role, mailed, invitedBy, inviteDays],
  );
}

/** Replaces the token of a pending invitation that is mailed. @returns false when there is none. */
export async function updateInviteToken(tx: Queryable, email: string, hash: string): Promise<boolean> {
  const updated = await tx.query(
    `UPDATE invites SET token_hash = $2 WHERE email = $1 AND mailed AND ${isPending} RETURNING email`,
    [email, hash],
  );
  return updated.length > 0;
}

/** Deletes the accepted invitation of an address. */
export async function deleteInvite(tx: Queryable, email: string): Promise<void> {
  await tx.query('DELETE FROM invites WHERE email = $1', [email]);
}

/** Deletes an invitation. @returns its address; undefined when there is no such invitation. */
export async function deleteInviteById(tx: Queryable, id: string): Promise<{ email: string } | undefined> {
  const [deleted] = await tx.query<{ email: string }>(
    'DELETE FROM invites WHERE user_id = $1 RETURNING email',
    [id],
  );
  return deleted;
}

/** Deletes all invitations of an inviter. @returns the deleted invitations. */
export async function deleteInvitesBy(
  tx: Queryable,
  userId: string,
): Promise<{ id: string; email: string }[]> {
  return tx.query('DELETE FROM invites WHERE invited_by = $1 RETURNING user_id AS id, email', [userId]);
}
