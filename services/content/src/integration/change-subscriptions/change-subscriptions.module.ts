import { ResourceModule } from '@quire/operation';
import { ChangeSubscription } from './change-subscription.entity.js';

@ResourceModule({ entities: [ChangeSubscription] })
export class ChangeSubscriptionsModule {}
