import { ResourceModule } from '@quire/operation';
import { ReadOnlyReason } from './read-only-reason.entity.js';

@ResourceModule({ entities: [ReadOnlyReason] })
export class ReadOnlyModeModule {}
