import { Module, type DynamicModule } from '@nestjs/common';
import type { InternalApiClient } from '@quire/service-client';
import { CacheInvalidationBus, SiteJobs } from '@quire/jobs';
import { entitiesOf, globalProviders } from '@quire/operation';
import type { RateLimiter } from '@quire/rate-limit';
import { DefaultRolePolicy } from './users/allowed-domains/index.js';
import { AuditLog } from './audit/index.js';
import { writeCommentMail } from './mail/comment-notifications/index.js';
import { TokenUsageAudit } from './authentication/credentials/token-usage-audit.js';
import { EdgeAccessDeps } from './authentication/edge-access/index.js';
import { withdrawUserInvites, writeInviteMail } from './registration/invites/index.js';
import { LinkOrigins } from './mail/links/index.js';
import { writeMagicLinkMail } from './authentication/magic-links/index.js';
import { MailQueue, type MailKind, type MailWriter } from './mail/index.js';
import { SignInMode } from './authentication/sign-in-mode.js';
import { revokeGrants, OAuthDeps } from './oauth-server/index.js';
import { PasskeyDeps, RelyingPartyFactory } from './authentication/passkeys/index.js';
import {
  LinkedAccountReader,
  LoginProviders,
  ProviderDeps,
} from './authentication/external-providers/index.js';
import { writeApprovalMail } from './mail/transfer-approvals/index.js';
import { securityMails, writeSecurityMail } from './mail/security-mails/index.js';
import { revokeSessions } from './authentication/sessions/index.js';
import { SetupAccess, SiteSeed, SiteSettings } from './registration/setup/index.js';
import { writeSignupMail } from './registration/signups/index.js';
import { CredentialReader, AccessRevoker, UserDeps } from './users/index.js';

import { AuditModule } from './audit/audit.module.js';
import { AccountModule } from './authentication/account/account.module.js';
import { ApiTokensModule } from './authentication/api-tokens/api-tokens.module.js';
import { AuthModeModule } from './authentication/auth-mode/auth-mode.module.js';
import { CredentialsModule } from './authentication/credentials/credentials.module.js';
import { EdgeAccessModule } from './authentication/edge-access/edge-access.module.js';
import { ExternalProvidersModule } from './authentication/external-providers/external-providers.module.js';
import { LoginModule } from './authentication/login/login.module.js';
import { MagicLinksModule } from './authentication/magic-links/magic-links.module.js';
import { PasskeysModule } from './authentication/passkeys/passkeys.module.js';
import { SessionsModule } from './authentication/sessions/sessions.module.js';
import { OAuthServerModule } from './oauth-server/oauth-server.module.js';
import { InvitesModule } from './registration/invites/invites.module.js';
import { SetupModule } from './registration/setup/setup.module.js';
import { SignupsModule } from './registration/signups/signups.module.js';
import { SiteJobsModule } from './site-jobs/site-jobs.module.js';
import { SiteKeyModule } from './site-key/site-key.module.js';
import { PanelPeopleModule } from './users/panel-people/panel-people.module.js';
import { PreferencesModule } from './users/preferences/preferences.module.js';
import { SavedViewsModule } from './users/saved-views/saved-views.module.js';
import { UsersModule } from './users/users.module.js';

/** The resources of the auth service. A new one is registered here and nowhere else. */
const resources = [
  AccountModule,
  ApiTokensModule,
  AuditModule,
  AuthModeModule,
  CredentialsModule,
  EdgeAccessModule,
  ExternalProvidersModule,
  InvitesModule,
  LoginModule,
  MagicLinksModule,
  OAuthServerModule,
  PanelPeopleModule,
  PasskeysModule,
  PreferencesModule,
  SavedViewsModule,
  SessionsModule,
  SetupModule,
  SignupsModule,
  SiteJobsModule,
  SiteKeyModule,
  UsersModule,
];

/** The entities of all resources. */
export const authEntities = entitiesOf(resources);

/** Dependencies of the auth service. */
export interface AuthDeps {
  relay: CacheInvalidationBus;
  limiter: RateLimiter;
  /** Client of the content service, which stores the settings of sites and creates their default content. */
  content: InternalApiClient;
  /** Further origins at which passkeys of the site are valid. */
  allowedOrigins: readonly string[];
  mails: MailQueue;
  linkOrigins: LinkOrigins;
  signInMode: SignInMode;
  /** Whether any client may set up a site without users. */
  isSetupOpen: boolean;
  /** Whether users of an allowed domain may sign up as administrators. */
  allowsAdminDefaultRole: boolean;
  loginProviders: LoginProviders;
  jobs: SiteJobs;
}

/** The writer of each kind of mail. */
export const mailWriters: Record<MailKind, MailWriter> = {
  'magic-link': writeMagicLinkMail,
  invite: writeInviteMail,
  signup: writeSignupMail,
  comment: writeCommentMail,
  'passkey-added': writeSecurityMail,
  'token-created': writeSecurityMail,
  'application-authorised': writeSecurityMail,
  'new-browser': writeSecurityMail,
  'transfer-approval': writeApprovalMail,
};

/** Revokes sessions, grants and invitations of a user who is disabled or whose role changes. */
const accessRevoker: AccessRevoker = {
  revokeGrants,
  revokeSessions: (tx, userId) => revokeSessions(tx, userId),
  withdrawUserInvites,
};

/** The auth service. This file is the only one that imports all resources. */
@Module({})
export class AuthModule {
  /** @returns the module with its dependencies. */
  static with({
    relay,
    limiter,
    content,
    allowedOrigins,
    mails,
    linkOrigins,
    signInMode,
    isSetupOpen,
    allowsAdminDefaultRole,
    loginProviders,
    jobs,
  }: AuthDeps): DynamicModule {
    const parties = new RelyingPartyFactory(allowedOrigins);
    const audit = new AuditLog(securityMails(mails, linkOrigins));
    const defaultRoles = new DefaultRolePolicy(allowsAdminDefaultRole);
    const setup = new SetupAccess(signInMode, isSetupOpen);
    return {
      module: AuthModule,
      imports: [
        ...resources,
        globalProviders([
          UserDeps,
          { provide: CacheInvalidationBus, useValue: relay },
          { provide: AuditLog, useValue: audit },
          { provide: TokenUsageAudit, useValue: new TokenUsageAudit(audit) },
          { provide: AccessRevoker, useValue: accessRevoker },
          { provide: CredentialReader, useClass: LinkedAccountReader },
          { provide: PasskeyDeps, useValue: new PasskeyDeps(parties, limiter, audit) },
          { provide: MailQueue, useValue: mails },
          { provide: LinkOrigins, useValue: linkOrigins },
          { provide: SignInMode, useValue: signInMode },
          { provide: SetupAccess, useValue: setup },
          { provide: DefaultRolePolicy, useValue: defaultRoles },
          { provide: SiteSettings, useValue: new SiteSettings(content) },
          { provide: SiteSeed, useValue: new SiteSeed(content) },
          { provide: LoginProviders, useValue: loginProviders },
          { provide: SiteJobs, useValue: jobs },
          {
            provide: ProviderDeps,
            useValue: new ProviderDeps({ providers: loginProviders, limiter, audit, defaultRoles, setup }),
          },
          { provide: EdgeAccessDeps, useValue: new EdgeAccessDeps(relay, limiter, audit) },
          { provide: OAuthDeps, useValue: new OAuthDeps(relay, limiter, audit) },
        ]),
      ],
    };
  }
}
