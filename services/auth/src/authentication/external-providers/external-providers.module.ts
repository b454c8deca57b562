import { ResourceModule } from '@quire/operation';
import { LoginAccount } from './login-account.entity.js';
import { LoginAttempt } from './login-attempt.entity.js';
import { ProviderRecord } from './provider-record.entity.js';
import { ProviderRoutesController } from './provider-routes.controller.js';
import { ProvidersController } from './providers.controller.js';

@ResourceModule({
  controllers: [ProvidersController, ProviderRoutesController],
  entities: [LoginAccount, LoginAttempt, ProviderRecord],
})
export class ExternalProvidersModule {}
