import { ResourceModule } from '@quire/operation';
import { Session } from './session.entity.js';
import { SessionsController } from './sessions.controller.js';
import { UserBrowser } from './user-browser.entity.js';

@ResourceModule({ controllers: [SessionsController], entities: [Session, UserBrowser] })
export class SessionsModule {}
