import type { Context } from '@quire/context';
import type { Queryable } from '@quire/database';
import type { AuditLog, WithdrawalReason } from '../audit/index.js';

/** What lets a user in, or others on their word, as far as other folders keep it: sessions, grants and invitations. */
export abstract class AccessRevoker {
  /** Ends what applications were granted, in the transaction that disables the user. */
  abstract revokeGrants(tx: Queryable, userId: string): Promise<void>;
  /** Ends the sessions, in the transaction that changes what the user may do. */
  abstract revokeSessions(tx: Queryable, userId: string): Promise<void>;
  /** Ends the pending invitations that a user made, in the transaction that takes the right to invite away. */
  abstract withdrawUserInvites(
    tx: Queryable,
    by: { ctx: Context; audit: AuditLog },
    ended: { userId: string; reason: WithdrawalReason },
  ): Promise<void>;
}
