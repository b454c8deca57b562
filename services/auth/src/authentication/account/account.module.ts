import { ResourceModule } from '@quire/operation';
import { AccountPageController } from './account-page.controller.js';

@ResourceModule({ controllers: [AccountPageController] })
export class AccountModule {}
