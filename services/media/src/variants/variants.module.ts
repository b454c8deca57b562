import { ResourceModule } from '@quire/operation';
import { MediaVariant } from './variant.entity.js';

@ResourceModule({ entities: [MediaVariant] })
export class VariantsModule {}
