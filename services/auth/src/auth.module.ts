import { Module, type DynamicModule } from '@nestjs/common';
import { CacheRelay } from '@quire/messages';
import { CredentialsInternalController } from './credentials/credentials.internal.controller.js';
import { SessionsController } from './sessions/index.js';
import { TokensController } from './tokens/index.js';
import { UsersInternalController } from './users/index.js';

/** Wires the auth service: users, tokens, credentials. */
@Module({})
export class AuthModule {
  static with({ relay }: { relay: CacheRelay }): DynamicModule {
    return {
      module: AuthModule,
      controllers: [
        CredentialsInternalController,
        SessionsController,
        TokensController,
        UsersInternalController,
      ],
      providers: [{ provide: CacheRelay, useValue: relay }],
    };
  }
}
