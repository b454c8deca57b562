import { ResourceModule } from '@quire/operation';
import { AuthModeController } from './auth-mode.controller.js';

@ResourceModule({ controllers: [AuthModeController] })
export class AuthModeModule {}
