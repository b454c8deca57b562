import { Inject, Injectable } from '@nestjs/common';
import { CacheRelay } from '@quire/messages';
import { AuditLog } from '../audit/index.js';
import { CredentialSummary } from './credential-summary.js';
import { UserAccess } from './user-access.js';

/** What operations on users work with, beside their context. */
@Injectable()
export class UserServices {
  constructor(
    @Inject(CacheRelay) readonly relay: CacheRelay,
    @Inject(AuditLog) readonly audit: AuditLog,
    @Inject(UserAccess) readonly access: UserAccess,
    @Inject(CredentialSummary) readonly credentials: CredentialSummary,
  ) {}
}
