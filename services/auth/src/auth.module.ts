import { Module, type DynamicModule } from '@nestjs/common';
import type { ServiceQuestions } from '@quire/http-server';
import { CacheRelay } from '@quire/messages';
import type { RateLimiter } from '@quire/rate-limit';
import { AllowedDomainsController, DefaultRolePolicy } from './allowed-domains/index.js';
import { AuditController, AuditLog } from './audit/index.js';
import { writeCommentMail } from './comment-mails/index.js';
import { CredentialsInternalController } from './credentials/credentials.internal.controller.js';
import { TokenUses } from './credentials/token-uses.js';
import { EdgeInternalController, EdgeServices } from './edge/index.js';
import { AssetsController } from './html/index.js';
import { endInvites, InvitesController, writeInviteMail } from './invites/index.js';
import { LinkOrigins } from './links/index.js';
import { MagicLinksController, RecoveryController, writeMagicLinkMail } from './magic-links/index.js';
import { MailQueue, type MailKind, type MailWriter } from './mail/index.js';
import { ModeController } from './mode/index.js';
import { SignInMode } from './sign-in-mode.js';
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
import { securityMails, writeSecurityMail } from './security-mails/index.js';
import { endSessionsOf, SessionsController } from './sessions/index.js';
import { SetupAccess, SetupController, SiteSeed, SiteSettings } from './setup/index.js';
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
const userAccess: UserAccess = {
  endGrants: endGrantsOf,
  endSessions: (tx, userId) => endSessionsOf(tx, userId),
  endInvites,
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
  }: AuthParts): DynamicModule {
    const parties = new RelyingParties(allowedOrigins);
    const audit = new AuditLog(securityMails(mails, linkOrigins));
    const defaultRoles = new DefaultRolePolicy(allowsAdminDefaultRole);
    const setup = new SetupAccess(signInMode, isSetupOpen);
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
        { provide: SetupAccess, useValue: setup },
        { provide: DefaultRolePolicy, useValue: defaultRoles },
        { provide: SiteSettings, useValue: new SiteSettings(content) },
        { provide: SiteSeed, useValue: new SiteSeed(content) },
        { provide: LoginProviders, useValue: loginProviders },
        {
          provide: ProviderServices,
          useValue: new ProviderServices({ providers: loginProviders, limiter, audit, defaultRoles, setup }),
        },
        { provide: EdgeServices, useValue: new EdgeServices(relay, limiter, audit) },
        { provide: OAuthServices, useValue: new OAuthServices(relay, limiter, audit) },
      ],
    };
  }
}
