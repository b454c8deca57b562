import { Inject, Injectable } from '@nestjs/common';
import type { Context } from '@quire/context';
import type { Queryable } from '@quire/database';
import { CacheInvalidationBus } from '@quire/jobs';
import { AuditLog, type WithdrawalReason } from '../audit/index.js';
import { CredentialReader } from './credential-reader.js';

/** Revokes the access that other folders store for a user: grants of applications, sessions and invitations. */
export abstract class AccessRevoker {
  /** Revokes the grants of applications, in the transaction that disables the user. */
  abstract revokeGrants(tx: Queryable, userId: string): Promise<void>;
  /** Revokes the sessions, in the transaction that enables the user or changes their role. */
  abstract revokeSessions(tx: Queryable, userId: string): Promise<void>;
  /** Withdraws the user's pending invitations, in the transaction that removes their right to invite. */
  abstract withdrawUserInvites(
    tx: Queryable,
    deps: { ctx: Context; audit: AuditLog },
    withdrawn: { userId: string; reason: WithdrawalReason },
  ): Promise<void>;
}

/** Dependencies of the user operations. */
@Injectable()
export class UserDeps {
  constructor(
    @Inject(CacheInvalidationBus) readonly relay: CacheInvalidationBus,
    @Inject(AuditLog) readonly audit: AuditLog,
    @Inject(AccessRevoker) readonly access: AccessRevoker,
    @Inject(CredentialReader) readonly credentials: CredentialReader,
  ) {}
}
