import { ResourceModule } from '@quire/operation';
import { MagicLink } from './magic-link.entity.js';
import { MagicLinksController } from './magic-links.controller.js';
import { RecoveryController } from './recovery.controller.js';

@ResourceModule({ controllers: [MagicLinksController, RecoveryController], entities: [MagicLink] })
export class MagicLinksModule {}
