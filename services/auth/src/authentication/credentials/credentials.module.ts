import { ResourceModule } from '@quire/operation';
import { CredentialsInternalController } from './credentials.internal.controller.js';

@ResourceModule({ controllers: [CredentialsInternalController] })
export class CredentialsModule {}
