import { ResourceModule } from '@quire/operation';
import { AuthorizationRequest } from './authorization-request.entity.js';
import { ConnectionsController } from './connections.controller.js';
import { ImportConnection } from './import-connection.entity.js';

@ResourceModule({
  controllers: [ConnectionsController],
  entities: [AuthorizationRequest, ImportConnection],
})
export class ConnectionsModule {}
