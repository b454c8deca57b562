import { ResourceModule } from '@quire/operation';
import { EdgeAccessInternalController } from './edge-access.internal.controller.js';
import { EdgeSignIn } from './edge-sign-in.entity.js';

@ResourceModule({ controllers: [EdgeAccessInternalController], entities: [EdgeSignIn] })
export class EdgeAccessModule {}
