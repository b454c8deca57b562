import { Module, type DynamicModule } from '@nestjs/common';
import type { InternalApiClient } from '@quire/service-client';
import { CacheInvalidationBus } from '@quire/messages';
import type { RateLimiter } from '@quire/rate-limit';
import { AllowedDomainsController, DefaultRolePolicy } from './users/allowed-domains/index.js';
import { AuditController, AuditLog } from './audit/index.js';
import { writeCommentMail } from './mail/comment-notifications/index.js';
import { CredentialsInternalController } from './authentication/credentials/credentials.internal.controller.js';
import { TokenUsageAudit } from './authentication/credentials/token-usage-audit.js';
import { EdgeAccessInternalController, EdgeAccessDeps } from './authentication/edge-access/index.js';
import { withdrawUserInvites, InvitesController, writeInviteMail } from './registration/invites/index.js';
import { LinkOrigins } from './mail/links/index.js';
import {
  MagicLinksController,
  RecoveryController,
  writeMagicLinkMail,
} from './authentication/magic-links/index.js';
import { MailQueue, type MailKind, type MailWriter } from './mail/index.js';
import { AuthModeController } from './authentication/auth-mode/index.js';
import { SignInMode } from './authentication/sign-in-mode.js';
import {
  DevicePageController,
  revokeGrants,
  OAuthAuthorizeController,
  OAuthClientsController,
  OAuthDeviceController,
  OAuthDiscoveryController,
  OAuthRegistrationController,
  OAuthDeps,
  OAuthTokensController,
} from './oauth-server/index.js';
import { AccountPageController } from './authentication/account/index.js';
import { LoginPageController } from './authentication/login/index.js';
import { InvitePageController } from './registration/invites/page/index.js';
import { SetupPageController } from './registration/setup/page/index.js';
import { SignupPageController } from './registration/signups/page/index.js';
import { PasskeysController, PasskeyDeps, RelyingPartyFactory } from './authentication/passkeys/index.js';
import {
  LinkedAccountReader,
  LoginProviders,
  ProviderRoutesController,
  ProvidersController,
  ProviderDeps,
} from './authentication/external-providers/index.js';
import { securityMails, writeSecurityMail } from './mail/security-mails/index.js';
import { revokeSessions, SessionsController } from './authentication/sessions/index.js';
import { SetupAccess, SetupController, SiteSeed, SiteSettings } from './registration/setup/index.js';
import { SignupsController, writeSignupMail } from './registration/signups/index.js';
import { TokensController } from './authentication/api-tokens/index.js';
import {
  CredentialReader,
  AccessRevoker,
  UsersController,
  UserDeps,
  UsersInternalController,
} from './users/index.js';

export interface AuthDeps {
  relay: CacheInvalidationBus;
  limiter: RateLimiter;
  /** The way to the content service, which keeps the settings of a site and makes what it begins with. */
  content: InternalApiClient;
  /** Further origins at which passkeys of the site are used. */
  allowedOrigins: readonly string[];
  mails: MailQueue;
  linkOrigins: LinkOrigins;
  signInMode: SignInMode;
  /** Whether anybody may set up a site without users. */
  isSetupOpen: boolean;
  /** Whether people of an allowed domain may become administrators by themselves. */
  allowsAdminDefaultRole: boolean;
  loginProviders: LoginProviders;
}

/** Who writes which mail. */
export const mailWriters: Record<MailKind, MailWriter> = {
  'magic-link': writeMagicLinkMail,
  invite: writeInviteMail,
  signup: writeSignupMail,
  comment: writeCommentMail,
  'passkey-added': writeSecurityMail,
  'token-created': writeSecurityMail,
  'application-authorised': writeSecurityMail,
  'new-browser': writeSecurityMail,
};

/** What ends when a user is disabled, or gets another role. */
const accessRevoker: AccessRevoker = {
  revokeGrants,
  revokeSessions: (tx, userId) => revokeSessions(tx, userId),
  withdrawUserInvites,
};

/** Wires the auth service: the only file that sees all its resources. */
@Module({})
export class AuthModule {
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
  }: AuthDeps): DynamicModule {
    const parties = new RelyingPartyFactory(allowedOrigins);
    const audit = new AuditLog(securityMails(mails, linkOrigins));
    const defaultRoles = new DefaultRolePolicy(allowsAdminDefaultRole);
    const setup = new SetupAccess(signInMode, isSetupOpen);
    return {
      module: AuthModule,
      controllers: [
        AccountPageController,
        AllowedDomainsController,
        AuditController,
        CredentialsInternalController,
        DevicePageController,
        EdgeAccessInternalController,
        InvitePageController,
        InvitesController,
        LoginPageController,
        MagicLinksController,
        AuthModeController,
        OAuthAuthorizeController,
        OAuthClientsController,
        OAuthDeviceController,
        OAuthDiscoveryController,
        OAuthRegistrationController,
        OAuthTokensController,
        PasskeysController,
        ProviderRoutesController,
        ProvidersController,
        RecoveryController,
        SessionsController,
        SetupController,
        SetupPageController,
        SignupPageController,
        SignupsController,
        TokensController,
        UsersController,
        UsersInternalController,
      ],
      providers: [
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
        {
          provide: ProviderDeps,
          useValue: new ProviderDeps({ providers: loginProviders, limiter, audit, defaultRoles, setup }),
        },
        { provide: EdgeAccessDeps, useValue: new EdgeAccessDeps(relay, limiter, audit) },
        { provide: OAuthDeps, useValue: new OAuthDeps(relay, limiter, audit) },
      ],
    };
  }
}
