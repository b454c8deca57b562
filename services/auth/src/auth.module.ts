import { Module, type DynamicModule } from '@nestjs/common';
import { CacheRelay } from '@quire/messages';
import { AllowedDomainsController } from './allowed-domains/index.js';
import { AuditController, AuditLog } from './audit/index.js';
import { CredentialsInternalController } from './credentials/credentials.internal.controller.js';
import { ModeController } from './mode/index.js';
import { endSessionsOf, SessionsController } from './sessions/index.js';
import { TokensController } from './tokens/index.js';
import {
  CredentialSummary,
  NoCredentials,
  UserAccess,
  UsersController,
  UserServices,
  UsersInternalController,
} from './users/index.js';

export interface AuthParts {
  relay: CacheRelay;
  /** How long the audit log keeps an event. */
  auditRetentionDays: number;
}

/** What ends when a user is disabled. */
const userAccess: UserAccess = { end: (tx, userId) => endSessionsOf(tx, userId) };

/** Wires the auth service: users, what they sign in with, and the record of it. */
@Module({})
export class AuthModule {
  static with({ relay, auditRetentionDays }: AuthParts): DynamicModule {
    return {
      module: AuthModule,
      controllers: [
        AllowedDomainsController,
        AuditController,
        CredentialsInternalController,
        ModeController,
        SessionsController,
        TokensController,
        UsersController,
        UsersInternalController,
      ],
      providers: [
        UserServices,
        { provide: CacheRelay, useValue: relay },
        { provide: AuditLog, useValue: new AuditLog(auditRetentionDays) },
        { provide: UserAccess, useValue: userAccess },
        { provide: CredentialSummary, useClass: NoCredentials },
      ],
    };
  }
}
