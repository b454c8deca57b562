import { ResourceModule } from '@quire/operation';
import { PasskeyChallenge } from './passkey-challenge.entity.js';
import { Passkey } from './passkey.entity.js';
import { PasskeysController } from './passkeys.controller.js';

@ResourceModule({ controllers: [PasskeysController], entities: [Passkey, PasskeyChallenge] })
export class PasskeysModule {}
