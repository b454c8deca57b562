import { ResourceModule } from '@quire/operation';
import { Invite } from './invite.entity.js';
import { InvitesController } from './invites.controller.js';
import { InvitePageController } from './page/index.js';

@ResourceModule({ controllers: [InvitesController, InvitePageController], entities: [Invite] })
export class InvitesModule {}
