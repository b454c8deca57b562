import { ResourceModule } from '@quire/operation';
import { Redirect } from './redirect.entity.js';
import { RedirectsController } from './redirects.controller.js';

@ResourceModule({ controllers: [RedirectsController], entities: [Redirect] })
export class RedirectsModule {}
