import { ResourceModule } from '@quire/operation';
import { ApiToken } from './api-token.entity.js';
import { TokensController } from './tokens.controller.js';

@ResourceModule({ controllers: [TokensController], entities: [ApiToken] })
export class ApiTokensModule {}
