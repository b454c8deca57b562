import { Inject, Injectable } from '@nestjs/common';
import { CacheInvalidationBus } from '@quire/jobs';
import { AuditLog } from '../audit/index.js';
import { CredentialReader } from './credential-reader.js';
import { AccessRevoker } from './access-revoker.js';

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
