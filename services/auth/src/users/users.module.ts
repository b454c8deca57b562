import { ResourceModule } from '@quire/operation';
import { AllowedDomainsController, AllowedDomain } from './allowed-domains/index.js';
import { User } from './user.entity.js';
import { UsersController } from './users.controller.js';
import { UsersInternalController } from './users.internal.controller.js';

@ResourceModule({
  controllers: [UsersController, UsersInternalController, AllowedDomainsController],
  entities: [User, AllowedDomain],
})
export class UsersModule {}
