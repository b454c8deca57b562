import { ResourceModule } from '@quire/operation';
import { ApiToken } from './api-token.entity.js';
import { ApiTokensController } from './api-tokens.controller.js';

@ResourceModule({ controllers: [ApiTokensController], entities: [ApiToken] })
export class ApiTokensModule {}
