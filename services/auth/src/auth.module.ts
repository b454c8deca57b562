import { Module, type DynamicModule } from '@nestjs/common';
import { CacheRelay } from '@quire/messages';
import type { RateLimiter } from '@quire/rate-limit';
import { CredentialsInternalController } from './credentials/credentials.internal.controller.js';
import { InvitesController, writeInviteMail } from './invites/index.js';
import { LinkOrigins } from './links/index.js';
import { MagicLinksController, RecoveryController, writeMagicLinkMail } from './magic-links/index.js';
import { MailQueue, type MailKind, type MailWriter } from './mail/index.js';
import { PasskeysController, PasskeyServices, RelyingParties } from './passkeys/index.js';
import { SessionsController } from './sessions/index.js';
import { SetupController, SiteSettings } from './setup/index.js';
import { SignupsController, writeSignupMail } from './signups/index.js';
import { TokensController } from './tokens/index.js';
import { UsersInternalController } from './users/index.js';

export interface AuthParts {
  relay: CacheRelay;
  limiter: RateLimiter;
  /** The settings that the setup stores. */
  siteSettings: SiteSettings;
  /** Further origins at which passkeys of the site are used. */
  allowedOrigins: readonly string[];
  mails: MailQueue;
  linkOrigins: LinkOrigins;
}

/** Who writes which mail. */
export const mailWriters: Record<MailKind, MailWriter> = {
  'magic-link': writeMagicLinkMail,
  invite: writeInviteMail,
  signup: writeSignupMail,
};

/** Wires the auth service: the only file that sees all its resources. */
@Module({})
export class AuthModule {
  static with({
    relay,
    limiter,
    siteSettings,
    allowedOrigins,
    mails,
    linkOrigins,
  }: AuthParts): DynamicModule {
    const parties = new RelyingParties(allowedOrigins);
    return {
      module: AuthModule,
      controllers: [
        CredentialsInternalController,
        InvitesController,
        MagicLinksController,
        PasskeysController,
        RecoveryController,
        SessionsController,
        SetupController,
        SignupsController,
        TokensController,
        UsersInternalController,
      ],
      providers: [
        { provide: CacheRelay, useValue: relay },
        { provide: RelyingParties, useValue: parties },
        { provide: PasskeyServices, useValue: new PasskeyServices(parties, limiter) },
        { provide: MailQueue, useValue: mails },
        { provide: LinkOrigins, useValue: linkOrigins },
        { provide: SiteSettings, useValue: siteSettings },
      ],
    };
  }
}
