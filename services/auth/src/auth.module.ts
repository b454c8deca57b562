import { Module, type DynamicModule } from '@nestjs/common';
import type { ServiceQuestions } from '@quire/http-server';
import { CacheRelay } from '@quire/messages';
import type { RateLimiter } from '@quire/rate-limit';
import { AllowedDomainsController } from './allowed-domains/index.js';
import { AuditController, AuditLog } from './audit/index.js';
import { writeCommentMail } from './comment-mails/index.js';
import { CredentialsInternalController } from './credentials/credentials.internal.controller.js';
import { TokenUses } from './credentials/token-uses.js';
import { EdgeInternalController, EdgeServices } from './edge/index.js';
import { AssetsController } from './html/index.js';
import { InvitesController, writeInviteMail } from './invites/index.js';
import { LinkOrigins } from './links/index.js';
import { MagicLinksController, RecoveryController, writeMagicLinkMail } from './magic-links/index.js';
import { MailQueue, type MailKind, type MailWriter } from './mail/index.js';
import { ModeController, SignInMode } from './mode/index.js';
import {
  endGrantsOf,
  OAuthAuthorizeController,
  OAuthClientsController,
  OAuthDeviceController,
  OAuthDiscoveryController,
  OAuthRegistrationController,
  OAuthServices,
  OAuthTokensController,
} from './oauth/index.js';
import {
  DevicePageController,
  HomePageController,
  InvitePageController,
  LoginPageController,
  SetupPageController,
  SignupPageController,
} from './pages/index.js';
import { PasskeysController, PasskeyServices, RelyingParties } from './passkeys/index.js';
import {
  AccountSummary,
  LoginProviders,
  ProviderRoutesController,
  ProvidersController,
  ProviderServices,
} from './providers/index.js';
import { endSessionsOf, SessionsController } from './sessions/index.js';
import { SetupController, SiteSeed, SiteSettings } from './setup/index.js';
import { SignupsController, writeSignupMail } from './signups/index.js';
import { TokensController } from './tokens/index.js';
import {
  CredentialSummary,
  UserAccess,
  UsersController,
  UserServices,
  UsersInternalController,
} from './users/index.js';

export interface AuthParts {
  relay: CacheRelay;
  limiter: RateLimiter;
  /** The way to the content service, which keeps the settings of a site and makes what it begins with. */
  content: ServiceQuestions;
  /** Further origins at which passkeys of the site are used. */
  allowedOrigins: readonly string[];
  /** How long the audit log keeps an event. */
  auditRetentionDays: number;
  mails: MailQueue;
  linkOrigins: LinkOrigins;
  signInMode: SignInMode;
  loginProviders: LoginProviders;
}

/** Who writes which mail. */
export const mailWriters: Record<MailKind, MailWriter> = {
  'magic-link': writeMagicLinkMail,
  invite: writeInviteMail,
  signup: writeSignupMail,
  comment: writeCommentMail,
};

/** What ends when a user is disabled, or gets another role. */
const userAccess: UserAccess = {
  endGrants: endGrantsOf,
  endSessions: (tx, userId) => endSessionsOf(tx, userId),
};

/** Wires the auth service: the only file that sees all its resources. */
@Module({})
export class AuthModule {
  static with({
    relay,
    limiter,
    content,
    allowedOrigins,
    auditRetentionDays,
    mails,
    linkOrigins,
    signInMode,
    loginProviders,
  }: AuthParts): DynamicModule {
    const parties = new RelyingParties(allowedOrigins);
    const audit = new AuditLog(auditRetentionDays);
    return {
      module: AuthModule,
      controllers: [
        AllowedDomainsController,
        AssetsController,
        AuditController,
        CredentialsInternalController,
        DevicePageController,
        EdgeInternalController,
        HomePageController,
        InvitePageController,
        InvitesController,
        LoginPageController,
        MagicLinksController,
        ModeController,
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
        UserServices,
        { provide: CacheRelay, useValue: relay },
        { provide: AuditLog, useValue: audit },
        { provide: TokenUses, useValue: new TokenUses(audit) },
        { provide: UserAccess, useValue: userAccess },
        { provide: CredentialSummary, useClass: AccountSummary },
        { provide: PasskeyServices, useValue: new PasskeyServices(parties, limiter, audit) },
        { provide: MailQueue, useValue: mails },
        { provide: LinkOrigins, useValue: linkOrigins },
        { provide: SignInMode, useValue: signInMode },
        { provide: SiteSettings, useValue: new SiteSettings(content) },
        { provide: SiteSeed, useValue: new SiteSeed(content) },
        { provide: LoginProviders, useValue: loginProviders },
        { provide: ProviderServices, useValue: new ProviderServices(loginProviders, limiter, audit) },
        { provide: EdgeServices, useValue: new EdgeServices(relay, limiter, audit) },
        { provide: OAuthServices, useValue: new OAuthServices(relay, limiter, audit) },
      ],
    };
  }
}
