import { Module, type DynamicModule } from '@nestjs/common';
import { CacheRelay } from '@quire/messages';
import type { RateLimiter } from '@quire/rate-limit';
import { CredentialsInternalController } from './credentials/credentials.internal.controller.js';
import {
  OAuthAuthorizeController,
  OAuthClientsController,
  OAuthDeviceController,
  OAuthDiscoveryController,
  OAuthRegistrationController,
  OAuthServices,
  OAuthTokensController,
} from './oauth/index.js';
import { SessionsController } from './sessions/index.js';
import { TokensController } from './tokens/index.js';
import { UsersInternalController } from './users/index.js';

/** What the auth service works with beside its own data. */
export interface AuthParts {
  relay: CacheRelay;
  limiter: RateLimiter;
}

/** Wires the auth service: users, sessions, tokens, applications, credentials. */
@Module({})
export class AuthModule {
  static with({ relay, limiter }: AuthParts): DynamicModule {
    return {
      module: AuthModule,
      controllers: [
        CredentialsInternalController,
        OAuthAuthorizeController,
        OAuthClientsController,
        OAuthDeviceController,
        OAuthDiscoveryController,
        OAuthRegistrationController,
        OAuthTokensController,
        SessionsController,
        TokensController,
        UsersInternalController,
      ],
      providers: [
        { provide: CacheRelay, useValue: relay },
        { provide: OAuthServices, useFactory: () => new OAuthServices(relay, limiter) },
      ],
    };
  }
}
