import { ResourceModule } from '@quire/operation';
import { SiteKey } from './site-key.entity.js';

@ResourceModule({ entities: [SiteKey] })
export class SiteKeyModule {}
