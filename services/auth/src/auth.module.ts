import { Module, type DynamicModule } from '@nestjs/common';
import { CacheRelay } from '@quire/messages';
import type { RateLimiter } from '@quire/rate-limit';
import { CredentialsInternalController } from './credentials/credentials.internal.controller.js';
import { PasskeysController, PasskeyServices, RelyingParties } from './passkeys/index.js';
import { SessionsController } from './sessions/index.js';
import { SetupController, SiteSettings } from './setup/index.js';
import { TokensController } from './tokens/index.js';
import { UsersInternalController } from './users/index.js';

export interface AuthParts {
  relay: CacheRelay;
  limiter: RateLimiter;
  /** The settings that the setup stores. */
  siteSettings: SiteSettings;
  /** Further origins at which passkeys of the site are used. */
  allowedOrigins: readonly string[];
}

/** Wires the auth service: the only file that sees all its resources. */
@Module({})
export class AuthModule {
  static with({ relay, limiter, siteSettings, allowedOrigins }: AuthParts): DynamicModule {
    const parties = new RelyingParties(allowedOrigins);
    return {
      module: AuthModule,
      controllers: [
        CredentialsInternalController,
        PasskeysController,
        SessionsController,
        SetupController,
        TokensController,
        UsersInternalController,
      ],
      providers: [
        { provide: CacheRelay, useValue: relay },
        { provide: RelyingParties, useValue: parties },
        { provide: PasskeyServices, useValue: new PasskeyServices(parties, limiter) },
        { provide: SiteSettings, useValue: siteSettings },
      ],
    };
  }
}
