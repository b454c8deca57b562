import { ResourceModule } from '@quire/operation';
import { PendingMail } from './pending-mail.entity.js';

@ResourceModule({ entities: [PendingMail] })
export class MailModule {}
